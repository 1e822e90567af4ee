// Every model on every fold in two passes: one gathers the statistics of each class in each fold, one scores. The model
// for "all but fold f" is the total less the fold, so no sum over
// rows is ever fitted again; mixtures and logistic regression are, once for each fold.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suffice/compare/candidates.hpp"
#include "suffice/compare/folds.hpp"

namespace suffice {

struct Compared {
    std::string model;
    std::vector<GivenSetting> options;
    double accuracy = 0, accuracy_error = 0;  // over all rows; standard error over folds
    double log_loss = 0, log_loss_error = 0;
    double difference = 0, difference_error = 0;  // of the log loss to that of the best, paired over folds
    std::vector<double> fold_log_loss = {};       // by fold, of those that were scored; not kept in files
    std::size_t parameter_count = 0;
    bool has_bic = false, has_evidence = false;  // whether they mean the same as other models' do
    double bic = 0;                              // of log p(x, class) of all rows
    double evidence = 0;                         // log p(rows, classes) under conjugate priors
    double seconds = 0;                          // of estimating and scoring this model
    bool unfinished = false;                     // it took longer than it may
    Note failure;                                // not empty: why it could not be fitted
    static constexpr auto fields = FieldTuple{field("model", &Compared::model),
                                              field("options", &Compared::options),
                                              field("accuracy", &Compared::accuracy),
                                              field("accuracy_error", &Compared::accuracy_error),
                                              field("log_loss", &Compared::log_loss),
                                              field("log_loss_error", &Compared::log_loss_error),
                                              field("difference", &Compared::difference),
                                              field("difference_error", &Compared::difference_error),
                                              field("parameter_count", &Compared::parameter_count),
                                              field("has_bic", &Compared::has_bic),
                                              field("has_evidence", &Compared::has_evidence),
                                              field("evidence", &Compared::evidence),
                                              field("unfinished", &Compared::unfinished),
                                              field("bic", &Compared::bic),
                                              field("seconds", &Compared::seconds),
                                              field("failure", &Compared::failure)};
    bool operator==(const Compared&) const = default;
    bool failed() const { return !failure.sentence.empty(); }
};

// How a model does that has seen some of the rows only.
struct LearningPoint {
    std::string model;
    std::vector<GivenSetting> options;
    double rows = 0;  // weight it was fitted to, on average over folds
    double accuracy = 0, log_loss = 0;
};

// How "choose the best by these folds, then fit it" does on rows that had no part in the choice.
struct NestedScores {
    double log_loss = 0, log_loss_error = 0, accuracy = 0, accuracy_error = 0;
};

struct Comparison {
    std::vector<Compared> models;             // best first, by log loss
    std::vector<LearningPoint> curve;         // of the best sums over rows; empty: not asked for
    std::optional<NestedScores> nested = {};  // where asked for
    bool stopped = false;                     // before all models were ready
};

struct CrossValidation {
    std::size_t curve_models = 0;  // how many of the best models are also fitted to 1, 2, ... folds
    bool nested = false;
    double budget = 0;                                   // seconds of computing that one candidate may take; 0: any
    std::function<void(const Compared&)> finished = {};  // told of each candidate as it is ready, in their order
    bool ready_when_stopped = false;  // where all is stopped, what is ready is the answer, instead of an Error
};

// Where the user finds the row of an error that counts rows through the stream.
using Locate = std::function<Error(const Error&)>;

// The stream's names must not grow: classes and levels are those of `schema`. Several plans: repeated
// cross-validation, over all of whose folds means and errors are.
Result<Comparison> cross_validate(Stream& stream, const Schema& schema, const std::vector<Candidate>& candidates,
                                  std::span<const FoldPlan> plans, const Context& context,
                                  const CrossValidation& how = {}, const Locate& locate = {});

// The same, each row scored without itself, in closed form. All rows in memory; a model without such a form fails.
Result<Comparison> leave_each_out(const LabeledBlock& rows, const Schema& schema,
                                  const std::vector<Candidate>& candidates, const Context& context,
                                  const Locate& locate = {});

// Why a model could not be fitted.
inline Note failure_of(const Error& error, const Locate& locate) {
    Error told = locate ? locate(error) : error;
    std::vector<Remedy> remedies = std::exchange(told.remedies, {});
    return {told.sentence(), std::move(remedies)};
}

}  // namespace suffice
