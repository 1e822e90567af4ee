// Every model on every fold in two passes: one gathers the statistics of each class in each fold, one scores. The model
// for "all but fold f" is the total less the fold, so no sum over
// rows is ever fitted again; mixtures and logistic regression are, once for each fold.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "suffice/compare/candidates.hpp"
#include "suffice/compare/folds.hpp"

namespace suffice {

struct Compared {
    std::string model;
    std::string options;
    double accuracy = 0, accuracy_error = 0;  // over all rows; standard error over folds
    double log_loss = 0, log_loss_error = 0;
    std::size_t parameter_count = 0;
    double bic = 0;       // of the fit to all rows
    double seconds = 0;   // of estimating and scoring this model
    std::string failure;  // not empty: why it could not be fitted
    static constexpr auto fields = std::tuple{field("model", &Compared::model),
                                              field("options", &Compared::options),
                                              field("accuracy", &Compared::accuracy),
                                              field("accuracy_error", &Compared::accuracy_error),
                                              field("log_loss", &Compared::log_loss),
                                              field("log_loss_error", &Compared::log_loss_error),
                                              field("parameter_count", &Compared::parameter_count),
                                              field("bic", &Compared::bic),
                                              field("seconds", &Compared::seconds),
                                              field("failure", &Compared::failure)};
    bool operator==(const Compared&) const = default;
};

// How a model does that has seen some of the rows only.
struct LearningPoint {
    std::string model, options;
    double rows = 0;  // weight it was fitted to, on average over folds
    double accuracy = 0, log_loss = 0;
};

struct Comparison {
    std::vector<Compared> models;      // best first, by log loss
    std::vector<LearningPoint> curve;  // of the best sums over rows; empty: not asked for
};

// Where the user finds the row of an error that counts rows through the stream.
using Locate = std::function<Error(const Error&)>;

// The stream's names must not grow: classes and levels are those of `schema`. `curve_models`: how many of the best
// models are also fitted to 1, 2, ... folds.
Result<Comparison> cross_validate(Stream& stream, const Schema& schema, const std::vector<Candidate>& candidates,
                                  const FoldPlan& plan, const Context& context, std::size_t curve_models = 0,
                                  const Locate& locate = {});

// The same, each row scored without itself, in closed form. All rows in memory; a model without such a form fails.
Result<Comparison> leave_each_out(const LabeledBlock& rows, const Schema& schema,
                                  const std::vector<Candidate>& candidates, const Context& context,
                                  const Locate& locate = {});

// Why a model could not be fitted, in a sentence.
inline std::string failure_of(const Error& error, const Locate& locate) {
    return (locate ? locate(error) : error).sentence();
}

}  // namespace suffice
