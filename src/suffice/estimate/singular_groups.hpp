// What is told of covariances without an inverse and of columns that never vary: one note, however many classes.
#pragma once
#include <string>
#include <vector>

#include "suffice/estimate/gaussians.hpp"

namespace suffice {

// What was done about it: a floor under variances, or a share of the pooled covariance.
enum class SingularCure : std::uint8_t { floor, pooled };

struct SingularGroup {
    std::string
        classes;  // "class setosa"; empty: all of them. Of the first group alone, which is the one that is named
    std::size_t rank = 0;
    std::vector<std::string> columns;  // that do not vary for themselves
    std::string why;                   // "constant", "determined by a, b"
    SingularCure cure = SingularCure::floor;
};

// Under `strict` an Error, else a note that says the estimate is degenerate.
Result<void> tell_singular(std::vector<SingularGroup> groups, const Settings& settings, EstimatedGaussians& into);

}  // namespace suffice
