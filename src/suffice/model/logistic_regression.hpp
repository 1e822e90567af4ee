// Logistic and softmax regression as a model: what was estimated, what is known of its precision, and how it scores.
//
// The discriminative counterpart of the generative classifiers: the same posterior, softmax of linear scores, fitted to
// p(c | x) directly. It needs repeated passes over rows, so it neither merges nor subtracts; `update` by a warm start.
#pragma once
#include "suffice/base/matrix.hpp"
#include "suffice/model/classifier.hpp"
#include "suffice/model/column_model.hpp"
#include "suffice/regress/logistic.hpp"
#include "suffice/score/sparse_affine.hpp"

namespace suffice {

// One strength of a penalty that was chosen along a path of them, and what cross-validation says of it.
struct PenaltyStep {
    double penalty = 0, lasso = 0;
    double log_loss = 0, log_loss_error = 0;  // of rows left out, each; standard error over the folds
    std::uint64_t features = 0;               // with a coefficient, in the fit to all rows
    bool chosen = false;
    static constexpr auto fields =
        FieldTuple{field("penalty", &PenaltyStep::penalty),   field("lasso", &PenaltyStep::lasso),
                   field("log_loss", &PenaltyStep::log_loss), field("log_loss_error", &PenaltyStep::log_loss_error),
                   field("features", &PenaltyStep::features), field("chosen", &PenaltyStep::chosen)};
    bool operator==(const PenaltyStep&) const = default;
};

struct LogisticState {
    Schema schema;
    Features features;
    LogisticSettings settings;
    LogisticParameter parameter;
    std::vector<double> class_weight;  // sums of weights; empty: not fitted to rows
    std::vector<double> covariance;    // as in LogisticFit; empty: none
    double log_likelihood = 0, null_log_likelihood = 0;
    std::uint64_t rank = 0, iterations = 0;
    bool converged = true, separated = false;
    std::vector<Note> notes;
    std::vector<PenaltyStep> path;  // strongest first; empty: the penalty was given
    std::vector<double> unit;       // as in LogisticFit
    ColumnModel columns;            // what missing values are integrated over; empty: they are not
    static constexpr auto fields = FieldTuple{field("schema", &LogisticState::schema),
                                              field("features", &LogisticState::features),
                                              field("settings", &LogisticState::settings),
                                              field("parameter", &LogisticState::parameter),
                                              field("class_weight", &LogisticState::class_weight),
                                              field("covariance", &LogisticState::covariance),
                                              field("log_likelihood", &LogisticState::log_likelihood),
                                              field("null_log_likelihood", &LogisticState::null_log_likelihood),
                                              field("rank", &LogisticState::rank),
                                              field("iterations", &LogisticState::iterations),
                                              field("converged", &LogisticState::converged),
                                              field("separated", &LogisticState::separated),
                                              field("notes", &LogisticState::notes),
                                              field("path", &LogisticState::path),
                                              field("unit", &LogisticState::unit),
                                              field("columns", &LogisticState::columns)};
    bool operator==(const LogisticState&) const = default;
    bool valid() const;
};

// One line of the table of estimates: a class against the first one.
struct CoefficientLine {
    std::uint32_t class_code = 0;
    std::string name;  // of the feature; "(intercept)" comes first
    // NaN: it cannot be estimated, because its column follows from others.
    double coefficient = 0, standard_error = 0, z = 0, p_value = 0;
    double low = 0, high = 0;  // of the interval asked for
};

class LogisticRegression final : public Predictor {
public:
    static Result<LogisticRegression> from(LogisticState state);

    const LogisticState& state() const { return state_; }
    std::string_view name() const override { return "logistic_regression"; }
    const Schema& schema() const override { return state_.schema; }
    const std::vector<double>& log_prior() const override { return log_prior_; }  // of the rows it was fitted to
    const std::vector<double>& class_weight() const override { return state_.class_weight; }
    double log_likelihood() const override { return state_.log_likelihood; }  // of the classes given the rows
    std::size_t parameter_count() const override;
    const std::vector<Note>& notes() const override { return state_.notes; }
    std::size_t feature_count() const { return feature_count_; }
    bool operator==(const LogisticRegression& other) const { return state_ == other.state_; }

    // Coefficients and intercepts of each class less those of the first: with two classes, w and w0.
    Matrix contrasts() const;  // classes - 1 x features + 1, the intercept first
    // The interval covers with the given probability. Where the covariance is not known, lines have NaN in place of
    // what follows from it, and the table is an Error.
    std::vector<CoefficientLine> lines(double coverage = 0.95) const;
    Result<std::vector<CoefficientLine>> table(double coverage = 0.95) const;

    double deviance() const { return -2 * state_.log_likelihood; }
    double null_deviance() const { return -2 * state_.null_log_likelihood; }
    // Of all features together: the chance of so large a fall in deviance were they of no use.
    double likelihood_ratio_p_value() const;

    // Intercepts move by the change of the log priors; the boundaries stay parallel.
    std::unique_ptr<Predictor> under_priors(std::vector<double> log_prior) const override;
    Result<void> check_density() const override;
    SampledRow sample(std::size_t, Rng&) const override { return {}; }
    Result<void> score_tile(const Block& rows, kernel::Tile joint, Exactness exactness, Workspace& workspace,
                            std::uint64_t first_row) const override;
    // The same model with the uncertainty of the coefficients averaged out of its posteriors, by Laplace's
    // approximation: in logistic_moderation.cpp. An Error where the covariance is not known.
    Result<LogisticRegression> moderated() const;
    // log p(labels | rows) of the penalty as a prior: an Error where it is none.
    Result<double> laplace_log_evidence() const;
    // What each column adds to each class's score.
    Explanation contributions(const Block& rows, std::size_t row) const override;
    std::optional<ScoreForm> form() const override;  // where every feature is a column
    ScoreForm feature_form() const;                  // in the features
    Result<ScoreExpression> express() const override;

private:
    Error unusable(const Block& rows, std::uint64_t first_row) const;
    // Scores as the fit left them, of rows without holes.
    void score_complete(const Block& rows, kernel::Tile joint, Workspace& workspace) const;
    // Of rows with holes: the log posterior integrated over them (logistic_holes.cpp).
    void integrate(const Block& rows, kernel::Tile joint, Workspace& workspace) const;
    Explanation integrated_contributions(const Block& row) const;
    Explanation contributions_of(const double* features) const;
    std::vector<double> intercepts() const;  // under the priors as they are now
    void moderate(kernel::Rows x, kernel::Tile joint, Workspace& workspace) const;
    void by_probit(kernel::Tile joint) const;

    LogisticState state_;
    std::vector<double> log_prior_;
    std::vector<double> prior_change_;  // of the log priors since the fit, where the intercepts cannot take it
    std::size_t feature_count_ = 0;
    bool moderated_ = false;
    std::optional<SparseAffine> sparse_;  // where every feature is a column, so that sparse rows need not be filled in
};

Result<LogisticRegression> fit_logistic_regression(const Schema& schema, Stream& stream,
                                                   const LogisticSettings& settings = {}, const Context& context = {});
Result<LogisticRegression> fit_logistic_regression(const Schema& schema, const Features& features, Stream& stream,
                                                   const LogisticSettings& settings, const Context& context,
                                                   const std::optional<LogisticParameter>& start = {},
                                                   LogisticTrace* trace = nullptr);
// The same settings on new rows, from where this model stands.
Result<LogisticRegression> update(const LogisticRegression& model, Stream& stream, const Context& context = {});

// The same posterior written as a regression; an Error where the model's scores are not linear in the columns.
Result<LogisticRegression> to_logistic(const Classifier& model);

// w, w0 of sigma(w . x + w0) <-> scores of two classes; A_1 - A_0 = w exactly.
struct BinaryWeights {
    std::vector<double> weight;
    double intercept = 0;
    bool operator==(const BinaryWeights&) const = default;
};
LogisticParameter to_softmax(const BinaryWeights& binary);
Result<BinaryWeights> to_binary(const LogisticParameter& softmax);

}  // namespace suffice
