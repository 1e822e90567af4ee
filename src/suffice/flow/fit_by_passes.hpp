// Models that no single pass over the rows gives: mixtures, logistic regression, and fits that use rows without a
// class.
#pragma once
#include "suffice/flow/fit_options.hpp"
#include "suffice/flow/model.hpp"

namespace suffice {

bool takes_passes(const FitOptions& options);
// What the first pass gathers: the model itself, or for the others the names of classes and levels.
Recipe first_recipe(const FitOptions& options);
// All names are known. The stream is run through as often as needed.
Result<PredictorState> fit_by_passes(const FitOptions& options, const Schema& schema, Stream& stream,
                                     const Context& context);
// From where the model stands, over other rows.
Result<PredictorState> continue_passes(const PredictorState& state, Stream& stream, const Context& context);

}  // namespace suffice
