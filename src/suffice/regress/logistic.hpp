// Logistic and softmax regression by Newton's method, from the linear discriminant's solution on.
//
// Few parameters: the exact Hessian. Many rows: the Hessian of a sample of them as the first guess of limited-memory
// BFGS. Many parameters: Boehning's bound H <= 1/2 (I - 11'/k) (x) Z'Z as that guess (Boehning, "Multinomial logistic
// regression algorithm", 1992). Every step is halved until the objective falls, so any start converges.
#pragma once
#include <optional>

#include "suffice/base/context.hpp"
#include "suffice/base/enum_names.hpp"
#include "suffice/encode/features.hpp"
#include "suffice/regress/logistic_trace.hpp"

namespace suffice {

class Stream;

// Whether the covariance of the estimates is found: never, where the search has its Hessian at hand anyway, or by a
// pass of its own.
enum class Inference : std::uint8_t { none, where_cheap, always };

// Of two classes: what turns the score a = w . x + w0 into p(1 | x): 1 / (1 + exp(-a)), or Phi(a).
enum class Link : std::uint8_t { logit, probit };
template <>
inline constexpr std::array<std::string_view, 2> enum_names<Link>{"logit", "probit"};

// Where the errors of the estimates come from: the curvature H of the likelihood, or the sandwich H^-1 B H^-1 with B
// the sum over rows of the squared scores, which holds where the model does not (Huber 1967; White 1982).
enum class CoefficientErrors : std::uint8_t { likelihood, robust };
template <>
inline constexpr std::array<std::string_view, 2> enum_names<CoefficientErrors>{"likelihood", "robust"};

// Of coefficients that columns which follow from others leave undetermined: the shortest of all, or, as in R, none for
// every column that follows from those before it.
enum class Undetermined : std::uint8_t { shortest, later_ones_left_out };

// A feature whose coefficient is given: one in the score of this class, nothing in those of the others.
struct OffsetFeature {
    std::size_t feature = 0, class_code = 0;
};

struct LogisticSettings {
    // Half of it times the squared length of the coefficients is added to the loss: 1/C of scikit-learn. With two
    // classes the length is that of w = w_1 - w_0, with more that of all classes together. Intercepts go free.
    double penalty = 0;
    double lasso = 0;  // times the sum of the magnitudes is added too
    // Both penalties act on coefficients of features divided by their pooled standard deviation within classes.
    bool standardized = false;
    // In place of other penalties: half the log determinant of the information is added to the
    // likelihood, which takes off its first-order bias and keeps coefficients finite where classes separate (Firth,
    // "Bias reduction of maximum likelihood estimates", 1993; Heinze, Schemper, 2002; Kosmidis, Firth, 2011).
    bool firth = false;
    Link link = Link::logit;
    bool intercept = true;
    // Above 0: the intercept is penalised as the coefficient of a column that is this number in every row.
    double intercept_scale = 0;
    bool balanced = false;             // every class weighs the same in all
    std::vector<double> class_weight;  // factor on the weight of a row, by class; empty: one
    // Columns whose coefficients are given: of two classes one column that is added to w . x + w0 as it is, or of any
    // number of classes one column for each, added to its score; empty: none.
    std::string offset;
    std::vector<std::string> class_offset;
    double tolerance = 1e-12;       // of the objective, per unit of weight
    double gradient_tolerance = 0;  // of the largest entry of the gradient, per unit of weight; 0: not looked at
    std::uint32_t step_limit = 200;
    CoefficientErrors errors = CoefficientErrors::likelihood;
    Undetermined undetermined = Undetermined::shortest;
    bool importance = false;                  // weights of rows say how much a row is worth, not how often it was seen
    Inference inference = Inference::always;  // where there are at most most_exact parameters and no lasso
    static constexpr std::size_t most_exact = 600;   // parameters whose Hessian is formed
    static constexpr std::size_t most_lasso = 2000;  // the same, with a lasso
    static constexpr auto fields = FieldTuple{field("penalty", &LogisticSettings::penalty),
                                              field("lasso", &LogisticSettings::lasso),
                                              field("intercept", &LogisticSettings::intercept),
                                              field("intercept_scale", &LogisticSettings::intercept_scale),
                                              field("balanced", &LogisticSettings::balanced),
                                              field("class_weight", &LogisticSettings::class_weight),
                                              field("offset", &LogisticSettings::offset),
                                              field("tolerance", &LogisticSettings::tolerance),
                                              field("gradient_tolerance", &LogisticSettings::gradient_tolerance),
                                              field("step_limit", &LogisticSettings::step_limit),
                                              field("inference", &LogisticSettings::inference),
                                              field("firth", &LogisticSettings::firth),
                                              field("link", &LogisticSettings::link),
                                              field("class_offset", &LogisticSettings::class_offset),
                                              field("standardized", &LogisticSettings::standardized),
                                              field("errors", &LogisticSettings::errors),
                                              field("undetermined", &LogisticSettings::undetermined),
                                              field("importance", &LogisticSettings::importance)};
    bool operator==(const LogisticSettings&) const = default;

    bool free() const { return penalty == 0 && lasso == 0; }
    bool is_robust() const { return importance || errors == CoefficientErrors::robust; }
    Result<void> check(const Schema& schema) const;
    std::vector<std::string> offset_columns() const;
    std::size_t offset_count() const { return offset.empty() ? class_offset.size() : 1; }
    std::vector<OffsetFeature> offsets(const Schema& schema, const Features& features) const;
};

// What is estimated. Intercepts of the classes sum to zero, and without a lasso so do coefficients.
struct LogisticParameter {
    std::vector<double> coefficient;  // classes x features
    std::vector<double> intercept;    // classes
    static constexpr auto fields = FieldTuple{field("coefficient", &LogisticParameter::coefficient),
                                              field("intercept", &LogisticParameter::intercept)};
    bool operator==(const LogisticParameter&) const = default;
};

struct LogisticFit {
    LogisticParameter parameter;
    double log_likelihood = 0;         // of the labels given the rows; weights count, the penalty does not
    double null_log_likelihood = 0;    // with intercepts alone
    double objective = 0;              // - log_likelihood + penalties
    std::vector<double> class_weight;  // sums of weights
    std::size_t rank = 0;              // of the features
    std::size_t iterations = 0, passes = 0;
    bool converged = false, separated = false;
    // Of the contrasts with the first class, class by class, the intercept first; empty: not asked for. With a penalty
    // the inverse of the penalised Hessian: Laplace's approximation of the posterior. Of a probit the expected one.
    std::vector<double> covariance;
    std::vector<double> unit;  // of each feature, where penalties are on standardized coefficients; else empty
    std::vector<Note> notes;
};

// What a fit says of a row that lacks a value where nothing stands for it.
inline constexpr std::string_view value_is_missing = "logistic regression needs every value, and this one is missing";

// `schema` names all classes; those of the stream are matched by name. `start`: where to begin instead. `trace` is told
// every step, and then a start is taken as it is, however bad.
Result<LogisticFit> fit_logistic(const Schema& schema, const Features& features, Stream& stream,
                                 const LogisticSettings& settings, const Context& context,
                                 const std::optional<LogisticParameter>& start = {}, LogisticTrace* trace = nullptr);

}  // namespace suffice
