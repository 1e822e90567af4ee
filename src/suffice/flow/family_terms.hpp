// What a distribution comes to, and what is done with it, written as terms.
#pragma once
#include <vector>

#include "suffice/base/result.hpp"
#include "suffice/family/prior_text.hpp"
#include "suffice/report/calculation.hpp"

namespace suffice {

// The first term is a family with its parameter; see calculate.hpp.
Result<Calculation> calculate_family(const std::vector<PriorText>& terms);

}  // namespace suffice
