// The loop of EM around fits to completed rows.
#include "suffice/model/integrated_regression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/data/stream.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/model/column_model_fit.hpp"
#include "suffice/model/completed_table.hpp"
#include "suffice/model/fit_features.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_numbers = std::size_t{1} << 27;  // of completed rows, in memory
constexpr int most_steps = 500;
constexpr double settled = 1e-6;  // of the log posterior of any row from the limit

Result<HeldRows> labeled_rows(const Schema& schema, Stream& stream, const Context& context) {
    if (stream.rounds() != nullptr)
        return Error(ErrorKind::usage, "integrating over missing values needs all rows in one place")
            .advise({"missing_values", "indicator"});
    auto all = hold_rows(stream, schema, context);
    if (!all) return all.error();
    const std::size_t d = schema.columns.size();
    HeldRows some;
    for (std::size_t row = 0; row < all->size(); ++row) {
        const auto from = all->values.begin() + static_cast<std::ptrdiff_t>(row * d);
        for (std::size_t k = 0; k < d; ++k)
            if (std::isinf(from[static_cast<std::ptrdiff_t>(k)]))
                return Error("infinity is not a value").at_row(row + 1).in_column(schema.columns[k].name);
        if (all->labels[row] < 0 || !(all->weights[row] > 0)) continue;
        some.values.insert(some.values.end(), from, from + static_cast<std::ptrdiff_t>(d));
        some.labels.push_back(all->labels[row]);
        some.weights.push_back(all->weights[row]);
    }
    if (some.size() == 0) return Error("there are no labelled rows to fit");
    return some;
}

bool has_hole(const HeldRows& rows, std::uint32_t column) {
    const std::size_t d = rows.values.size() / rows.size();
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (std::isnan(rows.values[row * d + column])) return true;
    return false;
}

MovingColumns moving_columns(const ColumnModel& model, const HeldRows& rows) {
    MovingColumns moving;
    while (moving.link < model.chain.size() && !has_hole(rows, model.chain[moving.link].column)) ++moving.link;
    const bool fixed_means = moving.link == model.chain.size();
    while (fixed_means && moving.number < model.number.size() && !has_hole(rows, model.number[moving.number]))
        ++moving.number;
    return moving;
}

// EM comes nearer by about the same factor r at each step, so r / (1 - r) times the last change is what is left.
bool is_settled(double change, double change_before) {
    if (change <= settled * 1e-3) return true;
    const double factor = change / change_before;
    return factor < 1 && change * factor <= settled * (1 - factor);
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

class Integration {
public:
    Integration(const Schema& schema, const Features& features, const LogisticSettings& settings, HeldRows rows,
                const Context& context)
        : schema_(schema), features_(features), settings_(settings), rows_(std::move(rows)), context_(context) {
        context_.progress = {};  // a pass over completed rows says nothing of how far EM is
    }

    Result<LogisticRegression> run(const std::optional<LogisticParameter>& start) {
        auto columns = independent_columns(schema_, rows_);
        if (!columns) return columns.error();
        columns_ = std::move(*columns);
        moving_ = moving_columns(columns_, rows_);
        auto found = climb(start);
        if (!found) return found.error();
        return finish(*found);
    }

private:
    Result<LogisticRegression> fit(const LogisticSettings& settings, const std::optional<LogisticParameter>& start) {
        MemoryStream stream(table_.rows.block(), schema_);
        return fit_logistic_regression(schema_, features_, stream, settings, context_, start);
    }

    Result<void> expect(const LogisticRegression* model) {
        auto table = CompletedTable::of(rows_, columns_);
        if (!table) return table.error();
        table_ = std::move(*table);
        auto told = table_.weigh(rows_, model, context_);
        if (!told) return told.error();
        log_posterior_ = std::move(*told);
        return {};
    }

    Result<LogisticRegression> climb(const std::optional<LogisticParameter>& start) {
        LogisticSettings quick = settings_;
        quick.inference = Inference::none;
        std::optional<LogisticRegression> model;
        double change = std::numeric_limits<double>::infinity();
        for (int step = 0;; ++step) {
            const std::vector<double> before = log_posterior_;
            if (auto expected = expect(model ? &*model : nullptr); !expected) return expected.error();
            const double change_before = change;
            if (step > 1) change = largest_difference(log_posterior_, before);
            settled_ = step > 2 && is_settled(change, change_before);
            if (settled_ || step >= most_steps) return *model;
            auto next = fit(quick, model ? std::optional(model->state().parameter) : start);
            if (!next) return next.error();
            model.emplace(std::move(*next));
            auto columns = fit_columns(std::move(columns_), table_.rows, step == 0 ? 0 : moving_.link, context_);
            if (!columns) return columns.error();
            columns_ = std::move(*columns);
        }
    }

    // Errors and the likelihood of what is there, where EM has ended.
    Result<LogisticRegression> finish(const LogisticRegression& found) {
        LogisticSettings plain = settings_;
        plain.errors = CoefficientErrors::likelihood;
        plain.importance = false;
        const auto last = fit(plain, found.state().parameter);
        if (!last) return last.error();
        LogisticState state = last->state();
        state.settings = settings_;
        state.columns = columns_;
        std::vector<double> seen(schema_.classes.size()), factor;
        for (std::size_t row = 0; row < rows_.size(); ++row)
            seen[static_cast<std::size_t>(rows_.labels[row])] += rows_.weights[row];
        for (std::size_t c = 0; c < seen.size(); ++c) factor.push_back(state.class_weight[c] / seen[c]);
        if (!settings_.balanced && settings_.class_weight.empty()) state.class_weight = seen;  // without the rounding
        state.log_likelihood = 0;
        for (std::size_t row = 0; row < rows_.size(); ++row)
            state.log_likelihood +=
                rows_.weights[row] * factor[static_cast<std::size_t>(rows_.labels[row])] * log_posterior_[row];
        if (!settled_)
            state.notes.push_back("EM over the missing values stopped after " + std::to_string(most_steps) + " steps");
        if (!state.covariance.empty()) {
            const auto model = LogisticRegression::from(state);
            if (!model) return model.error();
            auto covariance =
                covariance_with_holes(*model, table_, rows_, moving_, factor, state.covariance, state.notes, context_);
            if (!covariance) return covariance.error();
            state.covariance = std::move(*covariance);
        }
        return LogisticRegression::from(std::move(state));
    }

    const Schema& schema_;
    const Features& features_;
    const LogisticSettings& settings_;
    HeldRows rows_;
    Context context_;
    ColumnModel columns_;
    MovingColumns moving_;
    CompletedTable table_;
    std::vector<double> log_posterior_;  // of each row's class, given what is there
    bool settled_ = false;
};

}  // namespace

Result<CompletedTable> CompletedTable::of(const HeldRows& rows, const ColumnModel& columns) {
    const std::size_t d = rows.values.size() / rows.size();
    CompletedTable table;
    RowCompletion completion(columns);
    CompletedRow ways;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        completion.complete(std::span(rows.values).subspan(row * d, d), ways);
        table.first.push_back(table.rows.size());
        table.rows.values.insert(table.rows.values.end(), ways.values.begin(), ways.values.end());
        table.rows.labels.insert(table.rows.labels.end(), ways.size(), rows.labels[row]);
        table.log_weight.insert(table.log_weight.end(), ways.log_weight.begin(), ways.log_weight.end());
        if (table.rows.values.size() > most_numbers)
            return Error("the missing values are too many to be integrated over in memory")
                .advise({"missing_values", "indicator"});
    }
    table.first.push_back(table.rows.size());
    return table;
}

Result<std::vector<double>> CompletedTable::weigh(const HeldRows& of, const LogisticRegression* model,
                                                  const Context& context) {
    const std::size_t n = rows.size(), k = model == nullptr ? 0 : model->class_count();
    std::vector<double> log_posterior(n * k), told(size());
    if (model != nullptr) {
        const ScoreSink sink{.form = ScoreSink::Form::log_posterior,
                             .scores = log_posterior.data(),
                             .stride = static_cast<std::ptrdiff_t>(k)};
        if (auto scored = model->score(rows.block().rows, sink, context); !scored) return scored.error();
    }
    rows.weights.resize(n);
    for (std::size_t row = 0; row < size(); ++row) {
        const std::span<double> weight(rows.weights.data() + first[row], first[row + 1] - first[row]);
        std::copy_n(log_weight.begin() + static_cast<std::ptrdiff_t>(first[row]), weight.size(), weight.begin());
        const double columns_alone = log_sum_exp(weight);
        for (std::size_t i = 0; k > 0 && i < weight.size(); ++i)
            weight[i] += log_posterior[(first[row] + i) * k + static_cast<std::size_t>(of.labels[row])];
        const double total = normalize_exp(weight);
        if (k > 0) told[row] = total - columns_alone;
        for (double& each : weight) each *= of.weights[row];
    }
    return told;
}

Result<LogisticRegression> fit_integrated(const Schema& schema, const Features& features, Stream& stream,
                                          const LogisticSettings& settings, const Context& context,
                                          const std::optional<LogisticParameter>& start) {
    if (settings.firth)
        return Error(ErrorKind::usage, "Firth's penalty is of rows without holes")
            .advise({"missing_values", "indicator"});
    auto rows = labeled_rows(schema, stream, context);
    if (!rows) return rows.error();
    const auto hole = [](double value) { return std::isnan(value); };
    if (std::ranges::any_of(rows->values, hole))
        return Integration(schema, features, settings, std::move(*rows), context).run(start);
    if (auto again = stream.rewind(); !again) return again.error();
    const auto fit = fit_logistic_regression(schema, features, stream, settings, context, start);
    if (!fit) return fit;
    LogisticState state = fit->state();
    auto columns = independent_columns(schema, *rows);
    if (columns) columns = fit_columns(std::move(*columns), *rows, 0, context);
    if (!columns) return columns.error();
    state.columns = std::move(*columns);
    return LogisticRegression::from(std::move(state));
}

}  // namespace suffice
