// Rows of one column as bars, and families over them.
#include <algorithm>
#include <cmath>
#include <functional>

#include "suffice/evaluate/histogram.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/show/family_table.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_whole_values = 40;  // whole numbers that get a bar each
constexpr std::size_t most_bars = 160;         // of families

bool takes_whole_numbers(const AnyFamily& family) {
    return family.support().find("whole") != std::string_view::npos || family.name() == "bernoulli";
}

bool has_levels(const FamilyTable& table) { return table.family->name() == "categorical"; }
bool is_flag(const FamilyTable& table) { return table.family->name() == "bernoulli"; }

// Where families are asked, and the rows there.
struct Places {
    std::vector<double> at;
    std::vector<LessonBar> rows;
    bool whole = false;
};

// A bar for each value; families are asked a little beyond, since few rows hardly show how far they reach.
Places whole_places(std::span<const double> values, bool levels, std::size_t level_count) {
    const auto [least, most] = std::ranges::minmax(values);
    const double first = std::min(least, 0.0);
    const double room = levels ? 0 : values.size() < 30 ? std::ceil(0.6 * (most - least)) + 1 : 1;
    const double last = levels ? static_cast<double>(level_count) - 1 : most + room;
    Places found{{}, {}, true};
    for (double x = first; x <= last; ++x) {
        found.at.push_back(x);
        const auto count = static_cast<double>(std::ranges::count(values, x));
        found.rows.push_back({x - 0.48, x + 0.48, count / static_cast<double>(values.size())});
    }
    return found;
}

Places places_of(const FamilyTable& table) {
    const auto& values = table.values;
    const bool whole = takes_whole_numbers(*table.family);
    const double highest = std::ranges::max(values), lowest = std::ranges::min(values);
    const std::size_t levels =
        std::max(table.names.columns.front().levels.size(), static_cast<std::size_t>(std::max(0.0, highest)) + 1);
    if (is_flag(table)) return whole_places(values, true, 2);
    if (whole && (has_levels(table) || highest - std::min(lowest, 0.0) < most_whole_values))
        return whole_places(values, has_levels(table), levels);
    const Histogram histogram = class_histogram(values, std::vector<std::int32_t>(values.size()), 1);
    Places found{{}, {}, whole};
    for (std::size_t bin = 0; bin < histogram.bin_count(); ++bin)
        found.rows.push_back({histogram.edge(bin), histogram.edge(bin + 1), histogram.density(0, bin)});
    const double low = found.rows.front().low, high = found.rows.back().high;
    if (whole) {
        for (double x = std::ceil(std::max(low, 0.0)); x <= high; ++x) found.at.push_back(x);
        return found;
    }
    const double room = (values.size() < 30 ? 0.6 : 0.08) * (high - low);
    // Close to where many supports begin, and a density may have a pole.
    if (lowest > 0 && low - room <= 0) found.at.push_back(1e-3 * lowest);
    for (int k = 0; k <= 400; ++k) found.at.push_back(low - room + (high - low + 2 * room) * k / 400);
    return found;
}

// The density at every place that the family has; elsewhere there is none.
using LogDensity = std::function<Result<std::vector<double>>(std::span<const double>)>;
std::vector<PlotPoint> points_of(const std::vector<double>& at, const LogDensity& density) {
    std::vector<PlotPoint> points;
    if (const auto all = density(at)) {
        for (std::size_t k = 0; k < at.size(); ++k) points.push_back({at[k], std::exp((*all)[k])});
        return points;
    }
    for (const double x : at)
        if (const auto one = density(std::span(&x, 1))) points.push_back({x, std::exp(one->front())});
    return points;
}

struct NamedDensity {
    std::string name;
    LogDensity density;
    bool predictive = false;
};

// What is drawn of a family: at maximum likelihood, and the posterior predictive where a prior is asked for.
Result<std::vector<NamedDensity>> densities_of(const FamilyTable& table, bool with_predictive,
                                               const PlotOptions& options) {
    const auto rows = table.first(table.row_count());
    if (!rows) return rows.error();
    const auto parameter = table.family->fit(*rows);
    if (!parameter) return parameter.error();
    const FamilyHandle family = table.family;
    std::string numbers = has_levels(table) ? "shares of the rows" : record_text(*parameter);
    std::vector<NamedDensity> all{
        {std::string(family->name()) + ", " + numbers,
         [family, at = *parameter](std::span<const double> x) { return family->log_density(at, x); }}};
    if (family->prior_name().empty() || !with_predictive) return all;
    const auto prior = prior_for(*family, options);
    if (!prior) return prior.error();
    const auto posterior = family->posterior(*prior, *rows);
    if (!posterior) return posterior.error();
    all.push_back({"its posterior predictive",
                   [family, at = *posterior](std::span<const double> x) { return family->log_predictive(at, x); },
                   true});
    return all;
}

Result<void> check_one_scale(const std::vector<FamilyTable>& tables) {
    for (const auto& table : tables) {
        if (table.family->value_size() != 1)
            return Error(ErrorKind::usage, "a histogram is of one column, and " + std::string(table.family->name()) +
                                               " takes several; see prior");
        if (has_levels(table) != has_levels(tables.front()))
            return Error(ErrorKind::usage, "numbers and categories have no histogram together");
        if (table.values.empty()) return Error("there are no rows");
    }
    return {};
}

void add_curve(LessonPanel& panel, LessonCurve curve) {
    constexpr std::size_t few = 9;  // the first ones may be near a pole, which goes out of the picture
    constexpr double steep = 1.5;
    const bool may_have_pole = curve.drawn != LessonCurve::Drawn::bars && curve.points.size() > few;
    const double most = may_have_pole ? steep * curve.points[few].y : INFINITY;
    for (std::size_t k = 0; k < curve.points.size(); ++k)
        if (std::isfinite(curve.points[k].y) && (k >= few || curve.points[k].y <= most))
            panel.y_high = std::max(panel.y_high, curve.points[k].y);
    panel.curves.push_back(std::move(curve));
}

}  // namespace

Result<Plotted> histogram_picture(const std::vector<FamilyTable>& tables, const PlotOptions& options) {
    if (auto checked = check_one_scale(tables); !checked) return checked.error();
    const Column& column = tables.front().names.columns.front();
    const Places places = places_of(tables.front());
    LessonPanel panel{"", column.name, places.whole ? "probability" : "density", 0, 1, 0, 0};
    panel.bars = places.rows;
    panel.whole_x = places.whole;
    for (const LessonBar& bar : panel.bars) panel.y_high = std::max(panel.y_high, bar.height);
    const double half = places.whole ? 0.5 : 0;
    panel.x_low = std::min(panel.bars.front().low, places.at.front() - half);
    panel.x_high = std::max(panel.bars.back().high, places.at.back() + half);
    if (has_levels(tables.front())) panel.names = column.levels;
    // Of several families the predictives are drawn only where a prior was stated for them.
    const bool predictive = tables.size() == 1 || !options.prior.empty();
    using Drawn = LessonCurve::Drawn;
    const bool bars = places.whole && places.at.size() * tables.size() * (predictive ? 2 : 1) <= most_bars;
    std::size_t colour = 0, predictives = 0;
    for (const auto& table : tables) {
        const auto densities = densities_of(table, predictive, options);
        if (!densities) return densities.error();
        for (const auto& each : *densities) {
            const bool own_colour = each.predictive && places.whole;  // bars and dots cannot be dotted
            if (own_colour) ++colour;
            add_curve(panel, {each.name, points_of(places.at, each.density),
                              bars              ? Drawn::bars
                              : places.whole    ? Drawn::stems
                              : each.predictive ? Drawn::dotted
                                                : Drawn::line,
                              colour});
            predictives += each.predictive ? 1 : 0;
        }
        ++colour;
    }
    panel.y_high *= 1.06;
    const std::string what = places.whole ? "probability" : "density";
    const std::string grey = places.whole ? "The shares of the rows (grey)" : "A histogram of the rows";
    const std::string words =
        predictives > 0
            ? grey + "; the " + what +
                  " at the parameter of maximum likelihood (the plug-in), and the posterior "
                  "predictive, which averages over what is not known of the parameter and so has the wider tails."
            : grey + ", and the " + (places.whole ? "probabilities" : "densities") +
                  " at the parameters of maximum likelihood.";
    return finished(panel.x_title + " and " + (tables.size() == 1 ? "a fitted family" : "fitted families"), words,
                    {panel});
}

}  // namespace suffice
