// Compared models as a table, best first, and for programs.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "suffice/compare/cross_validation.hpp"

namespace suffice {

class JsonText;

std::string comparison_text(const Comparison& comparison, Spelling spell = spell_plainly);
// An array of models; with a learning curve a record of models and learning_curve.
std::string comparison_json(const Comparison& comparison, Spelling spell = spell_plainly);
void write_comparison(JsonText& json, std::string_view name, const std::vector<Compared>& models,
                      Spelling spell = spell_plainly);  // the array alone

}  // namespace suffice
