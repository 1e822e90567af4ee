// Compared models as a table, best first, and for programs.
#pragma once
#include <string>
#include <vector>

#include "suffice/compare/cross_validation.hpp"

namespace suffice {

std::string comparison_text(const Comparison& comparison);
// An array of models; with a learning curve a record of models and learning_curve.
std::string comparison_json(const Comparison& comparison);

}  // namespace suffice
