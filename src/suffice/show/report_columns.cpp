// Looks at columns one by one.
#include "suffice/show/report_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/base/limits.hpp"
#include "suffice/evaluate/separation.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/part/make.hpp"
#include "suffice/show/better_family.hpp"
#include "suffice/show/plane.hpp"

namespace suffice {
namespace {

constexpr std::size_t drawn_points = 160, checked_points = 1200;

bool of_positive_numbers(std::string_view family) {
    return family == "gamma" || family == "log_normal" || family == "exponential" || family == "beta";
}

// log p(x_k | class) at these values of column k, all others integrated out: values x classes.
Result<Matrix> column_log_density(const Predictor& model, std::size_t column, const std::vector<double>& at) {
    Matrix block(at.size(), model.schema().columns.size()), scores(at.size(), model.class_count());
    std::ranges::fill(block.values, not_a_number);
    for (std::size_t row = 0; row < at.size(); ++row) block(row, column) = at[row];
    ScoreSink sink;
    sink.form = ScoreSink::Form::log_joint;
    sink.scores = scores.values.data();
    sink.stride = static_cast<std::ptrdiff_t>(model.class_count());
    const DenseBlock dense = rows(block.values.data(), block.row_count, block.column_count);
    if (auto scored = model.score(dense, sink, {}); !scored) return scored.error();
    for (std::size_t row = 0; row < at.size(); ++row)
        for (std::size_t c = 0; c < model.class_count(); ++c) scores(row, c) -= model.log_prior()[c];
    return scores;
}

// Points from low to high: equally spaced, or all whole numbers.
std::vector<double> points_between(double low, double high, std::size_t count, std::string_view family) {
    std::vector<double> at;
    if (is_discrete_family(family)) {
        low = std::max(0.0, std::floor(low));
        high = family == "bernoulli" ? 1 : std::ceil(high);
        const double step = std::max(1.0, std::ceil((high - low) / 4000));
        for (double x = low; x <= high; x += step) at.push_back(x);
        return at;
    }
    if (of_positive_numbers(family)) low = std::max(low, 1e-6 * std::max(high, 1e-300));
    if (family == "beta") high = std::min(high, 1 - 1e-6);
    for (std::size_t k = 0; k < count; ++k)
        at.push_back(low + (high - low) * static_cast<double>(k) / static_cast<double>(count - 1));
    return at;
}

Result<void> add_densities(const Predictor& model, std::size_t column, const std::vector<std::vector<double>>& values,
                           ColumnPicture& picture) {
    const Histogram& bins = picture.histogram;
    const double low = bins.low, high = bins.edge(bins.bin_count());
    const auto drawn = points_between(low, high, drawn_points, picture.family);
    const auto density = column_log_density(model, column, drawn);
    if (!density) return density.error();
    for (std::size_t c = 0; c < values.size(); ++c) {
        auto& own = picture.by_class[c];
        for (std::size_t k = 0; k < drawn.size(); ++k) own.density.push_back({drawn[k], std::exp((*density)(k, c))});
        if (values[c].size() < 2) continue;
        const auto [least, most] = std::ranges::minmax(values[c]);
        const double reach = std::max(1.5 * (most - least), picture.whole ? 8.0 : 0.0);
        if (!(reach > 0)) continue;
        const auto at = points_between(least - reach, most + reach, checked_points, picture.family);
        const auto wide = column_log_density(model, column, at);
        if (!wide) return wide.error();
        std::vector<double> along;
        for (std::size_t k = 0; k < at.size(); ++k) along.push_back(std::exp((*wide)(k, c)));
        own.check = check_fit(values[c], at, along, picture.whole);
    }
    return {};
}

void add_levels(const Column& column, const std::vector<double>& values, const SeenRows& rows,
                const Description::OfColumn* described, ColumnPicture& picture) {
    picture.levels = column.kind == ColumnKind::flag ? std::vector<std::string>{"0", "1"} : column.levels;
    for (std::size_t c = 0; c < picture.by_class.size(); ++c) {
        auto& own = picture.by_class[c];
        own.seen.assign(picture.levels.size(), 0);
        double total = 0;
        for (std::size_t row = 0; row < values.size(); ++row)
            if (rows.label[row] == static_cast<std::int32_t>(c) && values[row] >= 0 &&
                values[row] < static_cast<double>(picture.levels.size())) {
                ++own.seen[static_cast<std::size_t>(values[row])];
                ++total;
            }
        for (double& share : own.seen) share /= std::max(total, 1.0);
        if (described == nullptr || c >= described->by_class.size()) continue;
        own.fitted = described->by_class[c].numbers("probability");
        if (const double one = described->by_class[c].number("probability"); own.fitted.empty() && !std::isnan(one))
            own.fitted = {1 - one, one};
    }
}

}  // namespace

std::vector<ColumnPicture> column_pictures(const Predictor& model, const SeenRows& rows, std::size_t most) {
    const Schema& schema = model.schema();
    const auto description = model.describe();
    std::vector<ColumnPicture> pictures;
    std::vector<double> separation;
    for (std::size_t k = 0; k < schema.columns.size(); ++k)
        separation.push_back(class_separation(rows.column(k), rows.label, model.class_count()));
    std::vector<std::size_t> chosen(schema.columns.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    if (chosen.size() > most) {
        std::ranges::stable_sort(chosen, std::greater{}, [&](std::size_t k) { return separation[k]; });
        chosen.resize(most);
        std::ranges::sort(chosen);
    }
    for (const std::size_t k : chosen) {
        const Column& column = schema.columns[k];
        ColumnPicture& picture = pictures.emplace_back();
        picture.name = column.name;
        picture.kind = name_of(column.kind);
        picture.by_class.resize(model.class_count());
        const auto described = std::ranges::find(description.columns, k, &Description::OfColumn::column);
        const auto* about = described == description.columns.end() ? nullptr : &*described;
        if (about != nullptr) picture.family = about->family;
        if (column.kind == ColumnKind::text) continue;
        const auto values = rows.column(k);
        const auto gone = std::ranges::count_if(values, [](double x) { return std::isnan(x); });
        picture.missing_share = rows.size() > 0 ? static_cast<double>(gone) / static_cast<double>(rows.size()) : 0;
        if (column.kind == ColumnKind::category || (column.kind == ColumnKind::flag && picture.family == "bernoulli")) {
            add_levels(column, values, rows, about, picture);
            continue;
        }
        picture.separation = separation[k];
        picture.whole = is_discrete_family(picture.family);
        picture.histogram = class_histogram(values, rows.label, model.class_count());
        if (picture.family.empty() || picture.histogram.bin_count() == 0) continue;
        std::vector<std::vector<double>> by_class(model.class_count());
        for (std::size_t row = 0; row < values.size(); ++row)
            if (rows.label[row] >= 0 && std::isfinite(values[row]))
                by_class[static_cast<std::size_t>(rows.label[row])].push_back(values[row]);
        if (auto added = add_densities(model, k, by_class, picture); !added) {  // no density of the column by itself
            for (auto& own : picture.by_class) own = {};
            continue;
        }
        if (const auto better = better_family(picture.family, by_class))
            picture.better = {better->family, better->word, better->gain};
    }
    return pictures;
}

std::vector<TellingColumn> telling_columns(const Predictor& model, const SeenRows& rows, std::size_t most_rows) {
    const Schema& schema = model.schema();
    std::vector<TellingColumn> columns;
    if (std::ranges::any_of(schema.columns, [](const Column& column) { return column.kind == ColumnKind::text; }))
        return columns;
    const std::size_t classes = model.class_count();
    for (const auto& column : schema.columns) columns.push_back({column.name, std::vector<double>(classes), 0});
    std::vector<double> seen(classes);
    const DenseBlock block = suffice::rows(rows.values.values.data(), rows.size(), rows.values.column_count);
    const std::size_t step = std::max<std::size_t>(1, (rows.size() + most_rows - 1) / most_rows);
    for (std::size_t row = 0; row < rows.size(); row += step) {
        if (rows.label[row] < 0) continue;
        const auto truth = static_cast<std::size_t>(rows.label[row]);
        ++seen[truth];
        for (const auto& term : model.contributions(block, row).terms) {
            std::vector<double> others;  // log of their mean density, weighted by their priors
            double weight = 0;
            for (std::size_t c = 0; c < classes; ++c)
                if (c != truth) {
                    others.push_back(model.log_prior()[c] + term.by_class[c]);
                    weight += std::exp(model.log_prior()[c]);
                }
            const double odds = term.by_class[truth] - (log_sum_exp(others) - std::log(weight));
            if (std::isfinite(odds)) columns[term.column].by_class[truth] += odds;
        }
    }
    const double total = std::accumulate(seen.begin(), seen.end(), 0.0);
    for (auto& column : columns)
        for (std::size_t c = 0; c < classes; ++c) {
            column.overall += column.by_class[c] / std::max(total, 1.0);
            column.by_class[c] /= std::max(seen[c], 1.0);
        }
    std::ranges::stable_sort(columns, std::greater{}, &TellingColumn::overall);
    return columns;
}

Result<std::optional<Novelty>> novelty_of(const Predictor& model, const SeenRows& rows, std::uint64_t seed) {
    const auto is_text = [](const Column& column) { return column.kind == ColumnKind::text; };
    if (!model.check_density() || std::ranges::any_of(model.schema().columns, is_text)) return std::optional<Novelty>{};
    const SeenRows drawn = invented_rows(model, 2000, seed);
    std::vector<double> expected(drawn.size());
    ScoreSink sink;
    sink.log_evidence = expected.data();
    const DenseBlock block = suffice::rows(drawn.values.values.data(), drawn.size(), drawn.values.column_count);
    if (auto scored = model.score(block, sink, {}); !scored) return scored.error();
    Novelty made;
    std::vector<double> all = rows.log_evidence;
    std::vector<std::int32_t> side(all.size(), 0);
    all.insert(all.end(), expected.begin(), expected.end());
    side.resize(all.size(), 1);
    made.histogram = class_histogram(all, side, 2);
    std::ranges::sort(expected);
    made.threshold = sorted_quantile(expected, 0.01);
    const auto below = std::ranges::count_if(rows.log_evidence, [&](double x) { return x < made.threshold; });
    made.share = static_cast<double>(below) / static_cast<double>(std::max<std::size_t>(rows.size(), 1));
    return std::optional(std::move(made));
}

}  // namespace suffice
