// Scores, explains and converts logistic regressions.
#include "suffice/model/logistic_regression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "suffice/accumulate/fold.hpp"
#include "suffice/kernel/scores.hpp"
#include "suffice/math/special.hpp"
#include "suffice/model/integrated_regression.hpp"
#include "suffice/regress/logistic_evidence.hpp"

namespace suffice {
namespace {

struct LogisticTile {
    std::vector<double> features, origin;
};

}  // namespace

bool LogisticState::valid() const {
    const std::size_t k = schema.classes.size(), d = features.count();
    if (k < 2 || parameter.coefficient.size() != k * d || parameter.intercept.size() != k) return false;
    for (const ColumnBasis& each : features.columns)
        if (!each.valid(schema.columns.size())) return false;
    const auto finite = [](double value) { return std::isfinite(value); };
    const auto weighs = [](double value) { return std::isfinite(value) && value >= 0; };
    if (!std::ranges::all_of(parameter.coefficient, finite) || !std::ranges::all_of(parameter.intercept, finite) ||
        !std::ranges::all_of(class_weight, weighs))
        return false;
    const double total = std::accumulate(class_weight.begin(), class_weight.end(), 0.0);
    if (!class_weight.empty() && !(total > 0 && std::isfinite(total))) return false;
    const std::size_t side = (k - 1) * (d + 1);
    if (!unit.empty() && unit.size() != d) return false;
    if (!columns.empty() && !columns.valid(schema.columns.size())) return false;
    return (covariance.empty() || covariance.size() == side * side) &&
           (class_weight.empty() || class_weight.size() == k);
}

Result<LogisticRegression> LogisticRegression::from(LogisticState state) {
    if (!state.valid()) return Error("the parts of the logistic regression do not fit together");
    LogisticRegression made;
    made.feature_count_ = state.features.count();
    const std::size_t classes = state.schema.classes.size();
    if (state.class_weight.empty()) state.class_weight.assign(classes, 1 / static_cast<double>(classes));  // stated
    const double total = std::accumulate(state.class_weight.begin(), state.class_weight.end(), 0.0);
    for (double weight : state.class_weight) made.log_prior_.push_back(std::log(weight / total));
    if (state.features.plain()) made.sparse_.emplace(state.parameter.coefficient, state.parameter.intercept);
    made.state_ = std::move(state);
    return made;
}

Matrix LogisticRegression::contrasts() const {
    const std::size_t d = feature_count_;
    const LogisticParameter& p = state_.parameter;
    Matrix all(class_count() - 1, d + 1);
    for (std::size_t c = 1; c < class_count(); ++c) {
        all(c - 1, 0) = p.intercept[c] - p.intercept[0];
        for (std::size_t j = 0; j < d; ++j) all(c - 1, j + 1) = p.coefficient[c * d + j] - p.coefficient[j];
    }
    return all;
}

Result<std::vector<CoefficientLine>> LogisticRegression::table(double coverage) const {
    if (state_.covariance.empty())
        return Error(ErrorKind::usage,
                     "the covariance of the coefficients is not known: the model was fitted without "
                     "inference, or has too many coefficients");
    if (!(coverage > 0 && coverage < 1)) return Error(ErrorKind::usage, "a coverage lies between 0 and 1");
    return lines(coverage);
}

std::vector<CoefficientLine> LogisticRegression::lines(double coverage) const {
    const double reach = normal_quantile(0.5 + coverage / 2);
    const std::size_t width = feature_count_ + 1, side = (class_count() - 1) * width;
    const std::vector<std::string> names = state_.features.names(schema());
    const Matrix values = contrasts();
    std::vector<bool> given(width);  // the intercept first
    given[0] = !state_.settings.intercept;
    for (const OffsetFeature& each : state_.settings.offsets(schema(), state_.features)) given[each.feature + 1] = true;
    std::vector<CoefficientLine> lines;
    for (std::size_t c = 1; c < class_count(); ++c)
        for (std::size_t j = 0; j < width; ++j) {
            CoefficientLine line;
            line.class_code = static_cast<std::uint32_t>(c);
            line.name = j == 0 ? "(intercept)" : names[j - 1];
            line.coefficient = values(c - 1, j);
            const std::size_t at = (c - 1) * width + j;
            line.standard_error = state_.covariance.empty()
                                      ? std::numeric_limits<double>::quiet_NaN()
                                      : std::sqrt(std::max(state_.covariance[at * (side + 1)], 0.0));
            const bool estimable =
                line.standard_error > 0 || state_.covariance.empty() || given[j] || !state_.settings.free();
            if (!estimable) line.coefficient = line.standard_error = std::numeric_limits<double>::quiet_NaN();
            // What is given, as an offset's coefficient, is not tested.
            line.z = line.standard_error > 0 ? line.coefficient / line.standard_error
                                             : std::numeric_limits<double>::quiet_NaN();
            line.p_value = std::erfc(std::abs(line.z) / std::numbers::sqrt2);
            line.low = line.coefficient - reach * line.standard_error;
            line.high = line.coefficient + reach * line.standard_error;
            lines.push_back(std::move(line));
        }
    return lines;
}

std::size_t LogisticRegression::parameter_count() const {
    const std::uint64_t given = std::min<std::uint64_t>(state_.settings.offset_count(), state_.rank);
    return (class_count() - 1) * (state_.rank - given + (state_.settings.intercept ? 1 : 0));
}

double LogisticRegression::likelihood_ratio_p_value() const {
    const double degrees = static_cast<double>(parameter_count()) -
                           (state_.settings.intercept ? static_cast<double>(class_count() - 1) : 0);
    return degrees > 0 ? incomplete_gamma_complement(degrees / 2, std::max(null_deviance() - deviance(), 0.0) / 2) : 1;
}

Result<double> LogisticRegression::laplace_log_evidence() const {
    return suffice::laplace_log_evidence(state_.settings, state_.parameter, state_.covariance,
                                         state_.settings.offsets(state_.schema, state_.features), state_.unit,
                                         state_.log_likelihood);
}

Error LogisticRegression::unusable(const Block& rows, std::uint64_t first_row) const {
    for (std::size_t row = 0; row < row_count(rows); ++row)
        for (const ColumnBasis& each : state_.features.columns) {
            const double x = value_at(rows, row, each.column);
            const bool level = each.basis != Basis::levels || is_level_code(x, each.count + 1.0);
            if (std::isfinite(x) && level) continue;
            if (std::isnan(x) && (each.fills || each.basis == Basis::missing || !state_.columns.empty())) continue;
            return Error(std::isnan(x) ? std::string(value_is_missing)
                         : std::isinf(x)
                             ? "infinity is not a value"
                             : "the code of a level is a whole number below " + std::to_string(each.count + 1))
                .at_row(first_row + row + 1)
                .in_column(schema().columns[each.column].name);
        }
    return Error("the values are too large to be scored").at_row(first_row + 1);
}

std::unique_ptr<Predictor> LogisticRegression::under_priors(std::vector<double> log_prior) const {
    auto moved = std::make_unique<LogisticRegression>(*this);
    if (moderated_ || state_.settings.link == Link::probit || !state_.columns.empty()) {
        moved->prior_change_.resize(class_count());
        for (std::size_t c = 0; c < class_count(); ++c) moved->prior_change_[c] += log_prior[c] - log_prior_[c];
        moved->log_prior_ = std::move(log_prior);
        return moved;
    }
    for (std::size_t c = 0; c < class_count(); ++c)
        moved->state_.parameter.intercept[c] += log_prior[c] - log_prior_[c];
    if (sparse_) moved->sparse_.emplace(moved->state_.parameter.coefficient, moved->state_.parameter.intercept);
    moved->log_prior_ = std::move(log_prior);
    return moved;
}

std::vector<double> LogisticRegression::intercepts() const {
    std::vector<double> all = state_.parameter.intercept;
    for (std::size_t c = 0; c < prior_change_.size(); ++c) all[c] += prior_change_[c];
    return all;
}

Result<void> LogisticRegression::check_density() const {
    return Error(ErrorKind::usage, "logistic regression models no densities: it has neither evidence nor samples");
}

void LogisticRegression::score_complete(const Block& rows, kernel::Tile joint, Workspace& workspace) const {
    auto& scratch = workspace.of<LogisticTile>();
    scratch.origin.assign(feature_count_, 0.0);
    for (std::size_t c = 0; c < joint.class_count; ++c) std::fill_n(joint.of_class(c), joint.row_count, 0.0);
    const auto* sparse = std::get_if<SparseBlock>(&rows);
    if (sparse != nullptr && sparse_ && !moderated_)
        sparse_->add(*sparse, joint);
    else
        kernel::affine_scores(state_.features.rows_of(rows, scratch.features), scratch.origin.data(),
                              state_.parameter.coefficient.data(), state_.parameter.intercept.data(), joint);
    if (moderated_)
        moderate(state_.features.rows_of(rows, scratch.features), joint, workspace);
    else if (state_.settings.link == Link::probit)
        by_probit(joint);
}

Result<void> LogisticRegression::score_tile(const Block& rows, kernel::Tile joint, Exactness, Workspace& workspace,
                                            std::uint64_t first_row) const {
    score_complete(rows, joint, workspace);
    if (!state_.columns.empty()) integrate(rows, joint, workspace);
    for (std::size_t c = 0; c < prior_change_.size(); ++c)
        for (std::size_t row = 0; row < joint.row_count; ++row) joint.of_class(c)[row] += prior_change_[c];
    double sum = 0;  // not finite where a row is not
    for (std::size_t c = 0; c < joint.class_count; ++c)
        for (std::size_t row = 0; row < joint.row_count; ++row) sum += joint.of_class(c)[row];
    return std::isfinite(sum) ? Result<void>{} : unusable(rows, first_row);
}

Explanation LogisticRegression::contributions(const Block& rows, std::size_t row) const {
    std::vector<double> scratch;
    const kernel::Rows x = state_.features.rows_of(slice(rows, row, 1), scratch);
    if (!state_.columns.empty() && std::any_of(x.row(0), x.row(0) + feature_count_, [](double v) { return v != v; }))
        return integrated_contributions(slice(rows, row, 1));
    return contributions_of(x.row(0));
}

Explanation LogisticRegression::contributions_of(const double* features) const {
    Explanation all{intercepts(), {}};
    std::size_t j = 0;
    for (const ColumnBasis& each : state_.features.columns) {
        // A product is told with its first column.
        auto term = std::ranges::find(all.terms, each.column, &Explanation::Term::column);
        if (term == all.terms.end())
            term = all.terms.insert(term, {each.column, Explanation::no_level, std::vector<double>(class_count())});
        for (const std::size_t end = j + each.count; j < end; ++j)
            for (std::size_t c = 0; c < class_count(); ++c)
                term->by_class[c] += state_.parameter.coefficient[c * feature_count_ + j] * features[j];
    }
    return all;
}

std::optional<ScoreForm> LogisticRegression::form() const {
    if (state_.settings.link != Link::logit || moderated_ || !state_.features.plain() ||
        feature_count_ != schema().columns.size())
        return std::nullopt;
    return feature_form();
}

ScoreForm LogisticRegression::feature_form() const {
    ScoreForm form{intercepts(), {}, std::vector<std::vector<double>>(class_count())};
    for (std::size_t c = 0; c < class_count(); ++c) {
        const double* w = state_.parameter.coefficient.data() + c * feature_count_;
        form.linear.emplace_back(w, w + feature_count_);
    }
    return form;
}

Result<LogisticRegression> fit_logistic_regression(const Schema& schema, Stream& stream,
                                                   const LogisticSettings& settings, const Context& context) {
    const auto features = Features::of(schema);
    if (!features) return features.error();
    return fit_logistic_regression(schema, *features, stream, settings, context);
}

Result<LogisticRegression> fit_logistic_regression(const Schema& schema, const Features& features, Stream& stream,
                                                   const LogisticSettings& settings, const Context& context,
                                                   const std::optional<LogisticParameter>& start,
                                                   LogisticTrace* trace) {
    auto fit = fit_logistic(schema, features, stream, settings, context, start, trace);
    if (!fit) return fit.error();
    return LogisticRegression::from({schema,
                                     features,
                                     settings,
                                     std::move(fit->parameter),
                                     std::move(fit->class_weight),
                                     std::move(fit->covariance),
                                     fit->log_likelihood,
                                     fit->null_log_likelihood,
                                     fit->rank,
                                     fit->iterations,
                                     fit->converged,
                                     fit->separated,
                                     std::move(fit->notes),
                                     {},
                                     std::move(fit->unit),
                                     {}});
}

Result<LogisticRegression> update(const LogisticRegression& model, Stream& stream, const Context& context) {
    const LogisticState& state = model.state();
    if (!state.columns.empty())
        return fit_integrated(state.schema, state.features, stream, state.settings, context, state.parameter);
    return fit_logistic_regression(state.schema, state.features, stream, state.settings, context, state.parameter);
}

}  // namespace suffice
