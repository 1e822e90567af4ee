// Fits whose rows have more patterns of missing values than are kept.
#pragma once
#include "suffice/model/classifier.hpp"

namespace suffice {

// Gives each of the lanes of a fit its share of the memory for patterns. Where a Part of `recipe` has less room than
// usual, that is shared.
void limit_patterns(ModelStatistic& lane, const ModelStatistic& recipe, std::size_t lanes);
bool keeps_all_patterns(const ModelStatistic& statistic);
// EM over the rows of the stream, all of which the state has seen.
Result<ModelState> complete_by_passes(ModelState state, Stream& stream, const Context& context);

}  // namespace suffice
