// Scores, explains and converts logistic regressions.
#include "suffice/model/logistic_regression.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <numeric>
#include <thread>

#include "suffice/accumulate/fold.hpp"
#include "suffice/kernel/scores.hpp"
#include "suffice/kernel/softmax.hpp"
#include "suffice/math/sigmoid.hpp"
#include "suffice/math/special.hpp"

namespace suffice {
namespace {

struct LogisticTile {
    std::vector<double> features, scores, origin;
};

}  // namespace

bool LogisticState::valid() const {
    const std::size_t k = schema.classes.size(), d = features.count();
    if (k < 2 || parameter.coefficient.size() != k * d || parameter.intercept.size() != k) return false;
    for (const ColumnBasis& each : features.columns)
        if (each.column >= schema.columns.size()) return false;
    const std::size_t side = (k - 1) * (d + 1);
    return (covariance.empty() || covariance.size() == side * side) &&
           (class_weight.empty() || class_weight.size() == k);
}

Result<LogisticRegression> LogisticRegression::from(LogisticState state) {
    if (!state.valid()) return Error("the parts of the logistic regression do not fit together");
    LogisticRegression made;
    made.feature_count_ = state.features.count();
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
    const double reach = normal_quantile(0.5 + coverage / 2);
    const std::size_t width = feature_count_ + 1, side = (class_count() - 1) * width;
    const std::vector<std::string> names = state_.features.names(schema());
    const Matrix values = contrasts();
    std::vector<CoefficientLine> lines;
    for (std::size_t c = 1; c < class_count(); ++c)
        for (std::size_t j = 0; j < width; ++j) {
            CoefficientLine line;
            line.class_code = static_cast<std::uint32_t>(c);
            line.name = j == 0 ? "(intercept)" : names[j - 1];
            line.coefficient = values(c - 1, j);
            const std::size_t at = (c - 1) * width + j;
            line.standard_error = std::sqrt(std::max(state_.covariance[at * (side + 1)], 0.0));
            line.z = line.coefficient / line.standard_error;
            line.p_value = std::erfc(std::abs(line.z) / std::numbers::sqrt2);
            line.low = line.coefficient - reach * line.standard_error;
            line.high = line.coefficient + reach * line.standard_error;
            lines.push_back(std::move(line));
        }
    return lines;
}

std::size_t LogisticRegression::parameter_count() const {
    return (class_count() - 1) * (state_.rank + (state_.settings.intercept ? 1 : 0) -
                                  (state_.settings.offset.empty() || state_.rank == 0 ? 0 : 1));
}

double LogisticRegression::weight() const {
    return std::accumulate(state_.class_weight.begin(), state_.class_weight.end(), 0.0);
}

double LogisticRegression::bic() const {
    return deviance() + static_cast<double>(parameter_count()) * std::log(weight());
}

double LogisticRegression::likelihood_ratio_p_value() const {
    const double degrees = static_cast<double>(parameter_count()) -
                           (state_.settings.intercept ? static_cast<double>(class_count() - 1) : 0);
    return degrees > 0 ? incomplete_gamma_complement(degrees / 2, std::max(null_deviance() - deviance(), 0.0) / 2) : 1;
}

Error LogisticRegression::unusable(const Block& rows, std::uint64_t first_row) const {
    for (std::size_t row = 0; row < row_count(rows); ++row)
        for (const ColumnBasis& each : state_.features.columns) {
            const double x = value_at(rows, row, each.column);
            if (std::isfinite(x)) continue;
            return Error(std::isnan(x) ? "logistic regression needs every value, and this one is missing"
                                       : "infinity is not a value")
                .at_row(first_row + row + 1)
                .in_column(schema().columns[each.column].name);
        }
    return Error("the values are too large to be scored").at_row(first_row + 1);
}

Result<void> LogisticRegression::score_unit(const Block& rows, std::size_t row, const ScoreSink& sink,
                                            Workspace& workspace, std::uint64_t first_row) const {
    auto& scratch = workspace.of<LogisticTile>();
    const std::size_t k = class_count(), total = row_count(rows), step = Classifier::tile_rows;
    scratch.origin.assign(feature_count_, 0.0);
    for (std::size_t first = 0; first < total; first += step) {
        const std::size_t count = std::min(step, total - first);
        const Block part = slice(rows, first, count);
        scratch.scores.assign(k * step, 0.0);
        const kernel::Tile tile{scratch.scores.data(), count, k, step};
        kernel::affine_scores(state_.features.rows_of(part, scratch.features), scratch.origin.data(),
                              state_.parameter.coefficient.data(), state_.parameter.intercept.data(), tile);
        double sum = 0;  // not finite where a row is not
        for (std::size_t c = 0; c < k; ++c)
            for (std::size_t r = 0; r < count; ++r) sum += tile.of_class(c)[r];
        if (!std::isfinite(sum)) return unusable(part, first_row + first);
        const std::size_t at = row + first;
        if (sink.best != nullptr) kernel::argmax(tile, sink.best + at);
        if (sink.scores == nullptr) continue;
        if (sink.form == ScoreSink::Form::posterior) kernel::softmax(tile, nullptr);
        if (sink.form == ScoreSink::Form::log_posterior) kernel::log_softmax(tile, nullptr);
        kernel::transpose_out(tile, sink.scores + static_cast<std::ptrdiff_t>(at) * sink.stride, sink.stride);
    }
    return {};
}

Result<void> LogisticRegression::score(const Block& rows, const ScoreSink& sink, const Context& context,
                                       std::uint64_t first_row) const {
    if (sink.log_evidence != nullptr)
        return Error(ErrorKind::usage, "logistic regression models no densities, so there is no evidence");
    if (column_count(rows) != schema().columns.size())
        return Error("the rows have " + std::to_string(column_count(rows)) + " columns where the model has " +
                     std::to_string(schema().columns.size()));
    const std::size_t total = row_count(rows), unit = MemoryStream::unit_rows;
    std::atomic<std::size_t> next{0};
    std::mutex guard;
    std::optional<Error> failure;
    const auto work = [&] {
        Workspace workspace;
        for (std::size_t first; (first = next.fetch_add(unit)) < total && !context.stopped();) {
            const Block part = slice(rows, first, std::min(unit, total - first));
            if (auto scored = score_unit(part, first, sink, workspace, first_row + first); !scored) {
                const std::scoped_lock lock(guard);
                if (!failure || scored.error().row < failure->row) failure = scored.error();
                next = total;
            }
        }
    };
    {
        std::vector<std::jthread> threads;
        const std::uint64_t bytes = total * std::max<std::size_t>(column_count(rows), 1) * sizeof(double);
        for (unsigned t = 1; t < useful_threads(context, bytes); ++t) threads.emplace_back(work);
        work();
    }
    if (failure) return *failure;
    if (context.stopped()) return Error(ErrorKind::cancelled, "the computation was stopped");
    return {};
}

Result<Matrix> LogisticRegression::posteriors(const Block& rows, const Context& context) const {
    Matrix all(row_count(rows), class_count());
    ScoreSink sink;
    sink.scores = all.values.data();
    sink.stride = static_cast<std::ptrdiff_t>(class_count());
    if (auto scored = score(rows, sink, context); !scored) return scored.error();
    return all;
}

Result<std::vector<std::int32_t>> LogisticRegression::predict(const Block& rows, const Context& context) const {
    std::vector<std::int32_t> codes(row_count(rows));
    ScoreSink sink;
    sink.best = codes.data();
    if (auto scored = score(rows, sink, context); !scored) return scored.error();
    return codes;
}

Result<Matrix> LogisticRegression::moderated_posteriors(const Block& rows) const {
    if (class_count() != 2) return Error(ErrorKind::usage, "moderated posteriors need exactly two classes");
    if (state_.covariance.empty())
        return Error(ErrorKind::usage, "moderated posteriors need the covariance of the coefficients");
    const std::size_t width = feature_count_ + 1;
    const Matrix w = contrasts();
    std::vector<double> scratch;
    const kernel::Rows x = state_.features.rows_of(rows, scratch);
    Matrix all(x.row_count, 2);
    for (std::size_t row = 0; row < x.row_count; ++row) {
        double score = w(0, 0), variance = 0;
        std::vector<double> z(width, 1.0);
        for (std::size_t j = 1; j < width; ++j) score += w(0, j) * (z[j] = x.row(row)[j - 1]);
        for (std::size_t i = 0; i < width; ++i)
            for (std::size_t j = 0; j < width; ++j) variance += z[i] * z[j] * state_.covariance[i * width + j];
        if (!std::isfinite(score)) return unusable(slice(rows, row, 1), row);
        const double shrunk = score / std::sqrt(1 + std::numbers::pi / 8 * std::max(variance, 0.0));
        all(row, 1) = sigmoid(shrunk);
        all(row, 0) = sigmoid(-shrunk);
    }
    return all;
}

Explanation LogisticRegression::explain(const Block& rows, std::size_t row) const {
    Explanation all{state_.parameter.intercept, {}};
    std::vector<double> scratch;
    const kernel::Rows x = state_.features.rows_of(slice(rows, row, 1), scratch);
    std::size_t j = 0;
    for (const ColumnBasis& each : state_.features.columns) {
        auto& term = all.terms.emplace_back(each.column, Explanation::no_level, std::vector<double>(class_count()));
        for (const std::size_t end = j + each.count; j < end; ++j)
            for (std::size_t c = 0; c < class_count(); ++c)
                term.by_class[c] += state_.parameter.coefficient[c * feature_count_ + j] * x.row(0)[j];
    }
    return all;
}

ScoreForm LogisticRegression::form() const {
    ScoreForm form{state_.parameter.intercept, {}, std::vector<std::vector<double>>(class_count())};
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
                                                   const std::optional<LogisticParameter>& start) {
    auto fit = fit_logistic(schema, features, stream, settings, context, start);
    if (!fit) return fit.error();
    return LogisticRegression::from({schema, features, settings, std::move(fit->parameter),
                                     std::move(fit->class_weight), std::move(fit->covariance), fit->log_likelihood,
                                     fit->null_log_likelihood, fit->rank, fit->iterations, std::move(fit->notes)});
}

Result<LogisticRegression> update(const LogisticRegression& model, Stream& stream, const Context& context) {
    const LogisticState& state = model.state();
    return fit_logistic_regression(state.schema, state.features, stream, state.settings, context, state.parameter);
}

Result<LogisticRegression> to_logistic(const Classifier& model) {
    const auto form = model.form();
    // A quadric that all classes share cancels between them.
    const bool linear =
        form && std::ranges::all_of(form->quadratic, [&](const auto& q) { return q == form->quadratic.front(); });
    if (!linear)
        return Error(ErrorKind::usage, "the scores of " + model.state().model +
                                           " are not linear in the columns, so no logistic regression equals it");
    LogisticState state;
    state.schema = model.schema();
    for (std::uint32_t k = 0; k < state.schema.columns.size(); ++k) {
        state.features.columns.emplace_back();
        state.features.columns.back().column = k;
    }
    const std::size_t k = form->constant.size(), d = state.schema.columns.size();
    std::vector<double> middle(d + 1);  // of all classes: softmax does not see it, zero sums do
    for (std::size_t c = 0; c < k; ++c) {
        for (std::size_t j = 0; j < d; ++j) middle[j] += form->linear[c][j] / static_cast<double>(k);
        middle[d] += form->constant[c] / static_cast<double>(k);
    }
    for (std::size_t c = 0; c < k; ++c) {
        for (std::size_t j = 0; j < d; ++j) state.parameter.coefficient.push_back(form->linear[c][j] - middle[j]);
        state.parameter.intercept.push_back(form->constant[c] - middle[d]);
    }
    state.rank = d;
    state.settings.inference = false;
    return LogisticRegression::from(std::move(state));
}

LogisticParameter to_softmax(const BinaryWeights& binary) {
    LogisticParameter softmax;
    for (double side : {-0.5, 0.5}) {
        for (double w : binary.weight) softmax.coefficient.push_back(side * w);
        softmax.intercept.push_back(side * binary.intercept);
    }
    return softmax;
}

Result<BinaryWeights> to_binary(const LogisticParameter& softmax) {
    if (softmax.intercept.size() != 2) return Error(ErrorKind::usage, "only two classes are told apart by one sigmoid");
    const std::size_t d = softmax.coefficient.size() / 2;
    BinaryWeights binary{{}, softmax.intercept[1] - softmax.intercept[0]};
    for (std::size_t j = 0; j < d; ++j) binary.weight.push_back(softmax.coefficient[d + j] - softmax.coefficient[j]);
    return binary;
}

}  // namespace suffice
