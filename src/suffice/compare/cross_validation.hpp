// Every model on every fold in two passes: one gathers the statistics of each class in each fold, one scores. The model
// for "all but fold f" is the total less the fold, so nothing is ever fitted again.
#pragma once
#include <string>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/data/stream.hpp"
#include "suffice/model/recipe.hpp"

namespace suffice {

struct Candidate {
    std::string model;    // canonical name
    std::string options;  // as the command would take them, for people
    Recipe recipe;
};

// The candidates that fit the columns: every Gaussian structure with shrinkage and RDA grids, and naive Bayes.
std::vector<Candidate> usual_candidates(const Schema& schema);

struct Compared {
    std::string model;
    std::string options;
    double accuracy = 0, accuracy_error = 0;  // over all rows; standard error over folds
    double log_loss = 0, log_loss_error = 0;
    std::size_t parameter_count = 0;
    double bic = 0;       // of the fit to all rows
    double seconds = 0;   // of estimating and scoring this model
    std::string failure;  // not empty: why it could not be fitted
};

struct FoldOptions {
    std::uint32_t fold_count = 10;  // stratified: within each class by a running count, shuffled by the context's seed
};

// The stream's names must not grow: classes and levels are those of `schema`. Best first, by log loss.
Result<std::vector<Compared>> cross_validate(Stream& stream, const Schema& schema,
                                             const std::vector<Candidate>& candidates, const FoldOptions& options,
                                             const Context& context);

}  // namespace suffice
