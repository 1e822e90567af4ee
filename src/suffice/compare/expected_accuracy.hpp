// How often a model will be right on rows like those that another one was made from, without the rows: some are drawn
// from the other one.
#pragma once
#include <optional>

#include "suffice/base/context.hpp"
#include "suffice/model/predictor.hpp"

namespace suffice {

// The mean over drawn rows of the probability, by `truth`, of the class that `model` answers with; classes come as
// often as among the rows of `truth`. Columns, levels and classes are matched by name. Nothing: `truth` is no density
// to draw from, or it has no rows.
Result<std::optional<double>> expected_accuracy(const Predictor& model, const Predictor& truth, const Context& context);

}  // namespace suffice
