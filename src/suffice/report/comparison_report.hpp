// Compared models as a table, best first, and for programs.
#pragma once
#include <string>
#include <vector>

#include "suffice/compare/cross_validation.hpp"

namespace suffice {

std::string comparison_text(const std::vector<Compared>& models);
std::string comparison_json(const std::vector<Compared>& models);

}  // namespace suffice
