// Draws models in one dimension.
#include "suffice/report/line_figures.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/report/chart.hpp"
#include "suffice/report/theme.hpp"

namespace suffice {
namespace {

constexpr double line_figure_width = 520, line_panel_height = 230;

// value(place, class) as curves, or as bars side by side.
template <class Value>
void draw_classes(Chart& chart, const LineView& view, Value&& value) {
    const std::size_t classes = view.classes.size();
    for (std::size_t c = 0; c < classes; ++c) {
        const std::string colour = std::to_string(c % class_colour_count);
        std::vector<PlotPoint> points;
        for (std::size_t k = 0; k < view.at.size(); ++k) points.push_back({view.at[k], value(k, c)});
        if (!view.bars) {
            chart.line(points, "thick s" + colour, dash_of(c));
            continue;
        }
        const double width = 0.8 / static_cast<double>(classes);
        for (const auto& point : points) {
            const double left = point.x - 0.4 + width * static_cast<double>(c);
            chart.bar(left, left + width, 0, point.y, "f" + colour, 0.85);
        }
    }
}

// Half way between neighbours whose most probable classes differ, or where their posteriors cross.
std::vector<double> decision_points(const LineView& view) {
    const std::size_t classes = view.classes.size();
    std::vector<double> found;
    const auto best = [&](std::size_t k) {
        const auto first = view.posterior.begin() + static_cast<std::ptrdiff_t>(k * classes);
        return static_cast<std::size_t>(std::max_element(first, first + static_cast<std::ptrdiff_t>(classes)) - first);
    };
    for (std::size_t k = 1; k < view.at.size(); ++k) {
        const std::size_t before = best(k - 1), after = best(k);
        if (before == after) continue;
        const auto gap = [&](std::size_t at) {
            return view.posterior[at * classes + before] - view.posterior[at * classes + after];
        };
        const double share = view.bars || gap(k - 1) == gap(k) ? 0.5 : gap(k - 1) / (gap(k - 1) - gap(k));
        found.push_back(view.at[k - 1] + share * (view.at[k] - view.at[k - 1]));
    }
    return found;
}

}  // namespace

Figure line_figure(const LineView& view) {
    const std::size_t classes = view.classes.size();
    const bool dense = !view.log_density.empty();
    const auto density = [&](std::size_t k, std::size_t c) { return std::exp(view.log_density[k * classes + c]); };
    const auto marks = decision_points(view);
    const auto legend = class_legend(view.classes, view.bars ? LegendEntry::Sign::patch : LegendEntry::Sign::line);
    const double head = legend_height(legend, line_figure_width);
    double top = 0;
    SvgText svg;
    if (dense) {
        double highest = 0;
        for (std::size_t k = 0; k < view.at.size(); ++k)
            for (std::size_t c = 0; c < classes; ++c)
                if (std::isfinite(density(k, c))) highest = std::max(highest, density(k, c));
        Chart chart(svg, {0, 0, line_figure_width, line_panel_height + head}, view.axis,
                    amount_axis(view.bars ? "probability p(x | class)" : "density p(x | class)", highest), legend);
        for (const double mark : marks) chart.vertical(mark, "faint dashed");
        draw_classes(chart, view, density);
        top = line_panel_height + head + 10;
    }
    const double height = line_panel_height + (dense ? 0 : head);
    {
        Chart chart(svg, {0, top, line_figure_width, height}, view.axis, share_axis("posterior p(class | x)"),
                    dense ? std::vector<LegendEntry>{} : legend);
        for (const double mark : marks) chart.vertical(mark, "faint dashed");
        draw_classes(chart, view, [&](std::size_t k, std::size_t c) { return view.posterior[k * classes + c]; });
    }
    std::string words = dense ? std::string(view.bars ? "Above the probabilities" : "Above the densities") +
                                    " of x in each class, below the posterior probability of each class given x."
                              : "The posterior probability of each class given x; the model has no densities.";
    if (!marks.empty()) words += " Dashed lines are where the most probable class changes.";
    if (!view.others.empty()) words += " " + view.others;
    return {view.axis.title + " under " + view.model, std::move(words), line_figure_width, top + height, svg.take()};
}

}  // namespace suffice
