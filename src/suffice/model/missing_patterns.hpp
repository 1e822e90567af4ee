// Missing values under a covariance, where one estimate of the patterns is not enough or too much.
#pragma once
#include "suffice/model/classifier.hpp"

namespace suffice {

// Gives each of the lanes of a fit its share of the memory for patterns. Where a Part of `recipe` has less room than
// usual, that is shared.
void limit_patterns(ModelStatistic& lane, const ModelStatistic& recipe, std::size_t lanes);
bool keeps_all_patterns(const ModelStatistic& statistic);
// EM over the rows of the stream, all of which the state has seen.
Result<ModelState> complete_by_passes(ModelState state, Stream& stream, const Context& context);
// One E-step: the sums of rows whose holes under a covariance are filled by what `before` expects there, or without it
// by the columns for themselves. EM that repeats passes anyway needs no EM for missing values within each of them
// (Ghahramani and Jordan, 1994).
Result<ModelStatistic> fill_holes(ModelStatistic rows, const Settings& settings, const ModelStatistic* before);

}  // namespace suffice
