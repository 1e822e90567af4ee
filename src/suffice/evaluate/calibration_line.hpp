// Whether stated probabilities are too extreme or too high: the regression of what happened on their log odds.
#pragma once
#include <optional>
#include <span>

#include "suffice/evaluate/score_store.hpp"

namespace suffice {

// logit P(class | p) = intercept + slope logit(p) (Cox, "Two further applications of a model for binary regression",
// 1958): below 1 the posteriors are too extreme, above it too timid. `in_the_large` is the intercept where the slope is
// held at 1: above 0 the class is more frequent than was said.
struct CalibrationLine {
    double slope = 0, slope_error = 0;
    double intercept = 0, intercept_error = 0;
    double in_the_large = 0, in_the_large_error = 0;
};

// Posteriors are kept away from 0 and 1 by 2^-52, as in the log loss. None where a class is missing, all posteriors are
// alike, or they separate the classes.
std::optional<CalibrationLine> calibration_line(std::span<const ScoredWeight> rows, std::int32_t positive);

}  // namespace suffice
