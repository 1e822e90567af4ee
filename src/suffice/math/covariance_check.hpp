// Whether a matrix that somebody stated is a covariance.
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "suffice/base/result.hpp"

namespace suffice {

// Nothing stated is mended in silence: what is no covariance (d x d, row by row) is refused with the number that shows
// it. `which` begins the sentence.
Result<void> check_covariance(std::span<const double> covariance, std::size_t d, const std::string& which);

}  // namespace suffice
