// How good a model is on labelled rows: a table for people, JSON for programs.
#pragma once
#include <string>
#include <vector>

#include "suffice/evaluate/evaluation.hpp"

namespace suffice {

std::string evaluation_text(const Scores& scores, const std::vector<std::string>& classes);
std::string evaluation_json(const Scores& scores, const std::vector<std::string>& classes);

}  // namespace suffice
