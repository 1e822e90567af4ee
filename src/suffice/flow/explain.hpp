// Why a model says what it says of each row of files.
#pragma once
#include <functional>

#include "suffice/flow/open_data.hpp"
#include "suffice/report/explanation_report.hpp"

namespace suffice {

// One row of a block; `posterior` is what the model says of it.
ExplainedRow explain_row(const Predictor& model, const LabeledBlock& block, std::size_t row,
                         std::span<const double> posterior);

using ExplanationSink = std::function<Result<void>(const ExplainedRow&)>;

// Row after row, in order; returns what must be said about the data.
Result<std::vector<Note>> explain(const Model& model, const Data& data, const ApplyOptions& options,
                                  const ExplanationSink& sink, const Context& context = {});

}  // namespace suffice
