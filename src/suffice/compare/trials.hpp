// Models that are scored on the rows of one fold each.
#pragma once
#include <memory>

#include "suffice/compare/folds.hpp"
#include "suffice/compare/tally.hpp"
#include "suffice/data/recode.hpp"
#include "suffice/model/predictor.hpp"

namespace suffice {

// A model and the fold whose rows it is scored on.
struct Trial {
    std::shared_ptr<const Predictor> model;  // null: it could not be fitted
    std::uint32_t fold = 0;
    std::vector<std::int32_t> code = {};  // of each class in the model; -1: it had no row to learn it from
    std::vector<CodeMap> levels = {};     // of each column, where the model lacks some; else empty

    Trial(Result<std::shared_ptr<const Predictor>> made, std::uint32_t scored_on, const Schema& schema);
};

// One tally for each trial, in one pass over the rows.
Result<std::vector<Tally>> score_trials(const std::vector<Trial>& trials, const FoldPlan& plan, Stream& stream,
                                        const Context& context);

}  // namespace suffice
