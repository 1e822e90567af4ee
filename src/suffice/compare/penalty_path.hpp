// The penalty of a logistic regression chosen by cross-validation along a path of strengths, each fit starting where
// the stronger one before it ended.
#pragma once
#include "suffice/compare/folds.hpp"
#include "suffice/model/logistic_regression.hpp"

namespace suffice {

struct PenaltySearch {
    bool squares = false, lasso = false;       // which of the two penalties is chosen; both: of one strength, half each
    std::vector<double> strengths = {};        // to try; empty: `count` of them that suit the rows
    std::uint32_t count = 25;                  // how many
    std::uint32_t fold_count = 10;             // of the cross-validation
    std::string fold_column = {};              // of files: each of its values is a fold
    std::vector<std::uint32_t> fold_of_row{};  // as told, row by row; empty: stratified
    bool simplest = false;  // not the best, but the strongest that is no more than a standard error worse

    bool wanted() const { return squares || lasso; }
    Result<void> check() const;
};

// The fit to all rows with the penalty that was chosen; its state has the whole path. Basis functions are those of all
// rows. `settings` has what is not chosen.
Result<LogisticRegression> fit_along_path(const Schema& schema, const Features& features, Stream& stream,
                                          const LogisticSettings& settings, const PenaltySearch& search,
                                          const FoldPlan& plan, const Context& context);

}  // namespace suffice
