// Finds which values of a column a picture can show.
#include "suffice/show/column_axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/flow/model.hpp"
#include "suffice/part/make.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_values = 400;  // beyond it whole numbers are drawn as a range

bool takes(const Predictor& model, std::uint32_t column, double value) {
    std::vector<double> row(model.schema().columns.size(), std::numeric_limits<double>::quiet_NaN());
    row[column] = value;
    return bool(model.posteriors(rows(row.data(), 1, row.size())));
}

std::string family_of(const Predictor& model, std::uint32_t column) {
    for (const auto& each : model.describe().columns)
        if (each.column == column) return each.family;
    return {};
}

void set_whole_values(ColumnAxis& axis, const Predictor& model, double least, double largest) {
    const double room = std::max(1.0, std::round(0.08 * (largest - least)));
    for (double value = std::floor(least) - room; value <= std::ceil(largest) + room; ++value)
        if (takes(model, axis.column, value)) axis.values.push_back(value);
}

// A little wider than what was seen, but not beyond what the model takes.
void set_range(ColumnAxis& axis, const Predictor& model, double least, double largest) {
    const double room = largest > least ? 0.12 * (largest - least) : 1;
    // Regressions have no answer without the other columns, and take any number.
    if (!takes(model, axis.column, least)) {
        axis.low = least - room;
        axis.high = largest + room;
        return;
    }
    const auto first_taken = [&](std::initializer_list<double> tries) {
        for (const double each : tries)
            if (takes(model, axis.column, each)) return each;
        return *(tries.end() - 1);
    };
    axis.low = first_taken({least - room, 0.0, least});
    if (axis.low > least) axis.low = least;
    axis.high = first_taken({largest + room, 1.0, largest});
    if (axis.high < largest) axis.high = largest;
}

}  // namespace

double ColumnAxis::nearest(double x) const {
    if (values.empty()) return x;
    const auto after = std::ranges::lower_bound(values, x);
    if (after == values.begin()) return values.front();
    if (after == values.end()) return values.back();
    return *after - x < x - *(after - 1) ? *after : *(after - 1);
}

ChartAxis ColumnAxis::drawn() const {
    ChartAxis axis = number_axis(title, low, high);
    if (values.empty()) return axis;
    axis.grid = false;
    const std::size_t step = 1 + (values.size() - 1) / 12;
    axis.ticks.clear();
    for (std::size_t k = 0; k < values.size(); k += step)
        axis.ticks.push_back({values[k], levels.empty() ? std::to_string(std::lround(values[k])) : levels[k]});
    return axis;
}

ColumnAxis column_axis(const Predictor& model, std::uint32_t column, std::span<const double> seen) {
    const Column& about = model.schema().columns[column];
    ColumnAxis axis{column, about.name};
    double least = std::numeric_limits<double>::infinity(), largest = -least;
    for (const double value : seen)
        if (std::isfinite(value)) least = std::min(least, value), largest = std::max(largest, value);
    if (!(largest >= least)) least = 0, largest = 1;
    const std::string family = family_of(model, column);
    if (about.kind == ColumnKind::category) {
        axis.levels = about.levels;
        for (std::size_t level = 0; level < about.levels.size(); ++level)
            axis.values.push_back(static_cast<double>(level));
    } else if (about.kind == ColumnKind::flag || family == "bernoulli") {
        axis.values = {0, 1};
    } else if (is_discrete_family(family) && largest - least < static_cast<double>(most_values)) {
        set_whole_values(axis, model, least, largest);
    }
    if (axis.values.empty()) {
        set_range(axis, model, least, largest);
    } else {
        axis.low = axis.values.front() - 0.5;
        axis.high = axis.values.back() + 0.5;
    }
    return axis;
}

}  // namespace suffice
