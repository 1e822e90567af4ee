// Regressions of categories on those before them, and of numbers on all of them.
#include "suffice/model/column_model_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "suffice/data/stream.hpp"
#include "suffice/kernel/linear_algebra.hpp"
#include "suffice/math/cholesky.hpp"

namespace suffice {
namespace {

// Of its own variance, kept by a number that follows from others, and by one that never changes.
constexpr double least_variance_share = 1e-9, least_variance = 1e-12;

constexpr std::uint32_t steps_between = 2;

struct SeenColumn {
    double missing = 0, weight = 0, mean = 0, scatter = 0;
    std::map<std::uint32_t, double> levels;
};

std::vector<SeenColumn> look_at_columns(const Schema& schema, const HeldRows& rows) {
    const std::size_t d = schema.columns.size();
    std::vector<SeenColumn> seen(d);
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t k = 0; k < d; ++k) {
            SeenColumn& column = seen[k];
            const double x = rows.values[row * d + k], w = rows.weights[row];
            if (std::isnan(x)) {
                column.missing += w;
            } else if (schema.columns[k].kind == ColumnKind::number) {
                column.weight += w;
                const double way = x - column.mean;
                column.mean += way * w / column.weight;
                column.scatter += w * way * (x - column.mean);
            } else if (x >= 0) {  // an unseen level says nothing
                column.weight += w;
                column.levels[static_cast<std::uint32_t>(x)] += w;
            }
        }
    return seen;
}

// B and S of the normal prior's mode: S = (T_uu - B' T_zu) / n with B = (T_zz + penalty)^-1 T_zu.
Result<void> regress_numbers(const ColumnMoments& moments, ColumnModel& model) {
    const std::size_t m = model.number.size(), side = moments.side, z = side - m;
    if (m == 0) return {};
    std::vector<double> factor(z * z);
    for (std::size_t i = 0; i < z; ++i)
        for (std::size_t j = 0; j < z; ++j)
            factor[i * z + j] = moments.squares[i * side + j] + (i == j && i > 0 ? indicator_penalty : 0);
    if (!factorize(factor, z)) return Error("the columns are too large to be squared");
    model.mean.assign(z * m, 0.0);
    std::vector<double> b(z);
    for (std::size_t k = 0; k < m; ++k) {
        for (std::size_t i = 0; i < z; ++i) b[i] = moments.squares[i * side + z + k];
        solve_factorized(factor, b);
        for (std::size_t i = 0; i < z; ++i) model.mean[i * m + k] = b[i];
    }
    model.covariance.assign(m * m, 0.0);
    for (std::size_t k = 0; k < m; ++k)
        for (std::size_t l = 0; l < m; ++l) {
            double left = moments.squares[(z + k) * side + z + l];
            for (std::size_t i = 0; i < z; ++i) left -= model.mean[i * m + k] * moments.squares[i * side + z + l];
            model.covariance[k * m + l] = left / moments.weight;
        }
    for (std::size_t k = 0; k < m; ++k) {
        const double own = moments.squares[(z + k) * (side + 1)] / moments.weight;
        const double size = std::max(1.0, moments.centre[k] * moments.centre[k]);
        model.covariance[k * (m + 1)] += std::max(least_variance_share * own, least_variance * size);
        model.mean[k] += moments.centre[k];
    }
    return {};
}

}  // namespace

Result<ColumnModel> independent_columns(const Schema& schema, const HeldRows& rows) {
    const std::vector<SeenColumn> seen = look_at_columns(schema, rows);
    std::vector<std::uint32_t> order = schema.all_columns();
    std::ranges::sort(order, {}, [&](std::uint32_t k) { return std::pair(seen[k].missing, k); });
    ColumnModel model;
    std::size_t before = 0;
    for (const std::uint32_t k : order) {
        if (!(seen[k].weight > 0))
            return Error("no row has a value here, so that nothing can be integrated over")
                .in_column(schema.columns[k].name);
        if (schema.columns[k].kind == ColumnKind::number) {
            model.number.push_back(k);
            continue;
        }
        CategoryLink link{k, {}, {}};
        for (const auto& [code, weight] : seen[k].levels) {
            link.code.push_back(code);
            link.parameter.intercept.push_back(std::log(weight / seen[k].weight));
        }
        link.parameter.coefficient.resize(link.code.size() * before);
        before += link.indicator_count();
        model.chain.push_back(std::move(link));
    }
    const std::size_t m = model.number.size();
    model.mean.assign(m == 0 ? 0 : (1 + before) * m, 0.0);
    model.covariance.assign(m * m, 0.0);
    for (std::size_t i = 0; i < m; ++i) {
        const SeenColumn& column = seen[model.number[i]];
        model.mean[i] = column.mean;
        const double variance = column.scatter / column.weight;
        model.covariance[i * (m + 1)] = variance > 0 ? variance : least_variance;
    }
    return model;
}

std::vector<double> indicators_of(const ColumnModel& model, const HeldRows& completed) {
    const std::size_t z = model.indicator_count(), width = completed.values.size() / completed.size();
    std::vector<double> all(completed.size() * z);
    for (std::size_t row = 0; row < completed.size(); ++row) {
        double* at = all.data() + row * z;
        for (const CategoryLink& link : model.chain) {
            const auto place = link.place(completed.values[row * width + link.column]);
            if (place && *place > 0) at[*place - 1] = 1;
            at += link.indicator_count();
        }
    }
    return all;
}

ColumnMoments moments_of(const ColumnModel& model, const HeldRows& completed, std::span<const double> indicators) {
    const std::size_t z = model.indicator_count(), m = model.number.size(), n = completed.size();
    const std::size_t width = completed.values.size() / n;
    ColumnMoments moments{0, std::vector<double>(m), {}, 1 + z + m};
    for (std::size_t row = 0; row < n; ++row) {
        moments.weight += completed.weights[row];
        for (std::size_t k = 0; k < m; ++k)
            moments.centre[k] += completed.weights[row] * completed.values[row * width + model.number[k]];
    }
    for (double& each : moments.centre) each /= moments.weight;
    const std::size_t side = moments.side;
    moments.squares.resize(side * side);
    constexpr std::size_t at_once = 512;
    std::vector<double> rows;
    for (std::size_t first = 0; first < n; first += at_once) {
        const std::size_t count = std::min(at_once, n - first);
        rows.clear();
        for (std::size_t row = first; row < first + count; ++row) {
            const double root = std::sqrt(completed.weights[row]);
            rows.push_back(root);
            for (std::size_t j = 0; j < z; ++j) rows.push_back(root * indicators[row * z + j]);
            for (std::size_t k = 0; k < m; ++k)
                rows.push_back(root * (completed.values[row * width + model.number[k]] - moments.centre[k]));
        }
        kernel::self_product(count, side, 1, rows, 1, moments.squares);
    }
    kernel::mirror_lower(moments.squares, side);
    return moments;
}

Result<LogisticFit> fit_link(const ColumnModel& model, std::size_t which, const HeldRows& completed,
                             std::span<const double> indicators, Inference inference, const Context& context) {
    const CategoryLink& link = model.chain[which];
    const std::size_t n = completed.size(), width = completed.values.size() / n, z = model.indicator_count();
    std::size_t before = 0;
    for (std::size_t h = 0; h < which; ++h) before += model.chain[h].indicator_count();
    Schema schema;
    for (std::size_t j = 0; j < before; ++j) schema.columns.push_back({.name = "indicator " + std::to_string(j)});
    for (const std::uint32_t code : link.code) schema.classes.push_back(std::to_string(code));
    std::vector<std::int32_t> labels(n, -1);
    for (std::size_t row = 0; row < n; ++row)
        if (const auto place = link.place(completed.values[row * width + link.column]))
            labels[row] = static_cast<std::int32_t>(*place);
    const DenseBlock block{indicators.data(), Element::f64, n, before, static_cast<std::ptrdiff_t>(z), 1};
    MemoryStream stream({block, labels, completed.weights, 0}, schema);
    LogisticSettings settings;
    settings.penalty = indicator_penalty;
    settings.inference = inference;
    // Between steps of EM a few of Newton's are enough: the next go on from there.
    if (inference == Inference::none) settings.step_limit = steps_between;
    return fit_logistic(schema, Features::of(schema).value(), stream, settings, context, link.parameter);
}

Result<ColumnModel> fit_columns(ColumnModel model, const HeldRows& completed, std::size_t moving,
                                const Context& context) {
    const std::vector<double> indicators = indicators_of(model, completed);
    for (std::size_t h = moving; h < model.chain.size(); ++h) {
        if (model.chain[h].code.size() < 2) continue;
        auto fit = fit_link(model, h, completed, indicators, Inference::none, context);
        if (!fit) return fit.error();
        model.chain[h].parameter = std::move(fit->parameter);
    }
    if (auto done = regress_numbers(moments_of(model, completed, indicators), model); !done) return done.error();
    return model;
}

}  // namespace suffice
