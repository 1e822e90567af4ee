// Complete or partial separation of the classes, where the likelihood of logistic regression has no maximum.
#pragma once
#include <optional>
#include <string>

#include "suffice/regress/logistic_search.hpp"

namespace suffice {

// The sentence that says so and names the columns; none: the classes are not separated. Without a maximum every step
// goes on and on in one direction, with one the last step is short: only then are margins looked at, in a pass of their
// own.
Result<std::optional<std::string>> find_separation(LogisticProblem& problem, const LogisticSearch& search);

}  // namespace suffice
