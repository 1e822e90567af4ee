// Draws models in two dimensions.
#include "suffice/report/plane_figures.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "suffice/report/chart.hpp"
#include "suffice/report/png.hpp"
#include "suffice/report/theme.hpp"

namespace suffice {
namespace {

constexpr double figure_width = 480, figure_height = 400;

// One pixel per corner, row 0 of the grid at the bottom.
template <class Colour>
std::string surface(const PlaneView& view, double opacity, Colour&& colour) {
    std::vector<std::uint8_t> rgba;
    const std::size_t classes = view.classes.size();
    for (std::size_t row = view.grid.rows; row-- > 0;)
        for (std::size_t column = 0; column < view.grid.columns; ++column) {
            const std::size_t at = row * view.grid.columns + column;
            const Rgb shade = colour(std::span(view.posterior).subspan(at * classes, classes));
            for (const double part : {shade.red, shade.green, shade.blue, 255 * opacity})
                rgba.push_back(static_cast<std::uint8_t>(std::lround(part)));
        }
    return png_uri({view.grid.columns, view.grid.rows, rgba});
}

void draw_boundaries(Chart& chart, const PlaneView& view, std::string_view style) {
    for (std::size_t a = 0; a < view.classes.size(); ++a)
        for (std::size_t b = a + 1; b < view.classes.size(); ++b)
            for (const auto& line : boundary_lines(view.grid, view.log_joint, view.classes.size(), a, b))
                chart.line(line, style);
}

void draw_rows(Chart& chart, const PlaneView& view, double size) {
    for (const auto& row : view.rows)
        if (row.label >= 0) chart.dot(row.at, static_cast<std::size_t>(row.label), size);
}

double dot_size(const PlaneView& view) { return view.rows.size() > 400 ? 2.1 : 2.8; }

template <class Draw>
Figure plane_figure(const PlaneView& view, std::string title, std::string description, Draw&& draw) {
    SvgText svg;
    {
        const auto sign = view.rows.empty() ? LegendEntry::Sign::patch : LegendEntry::Sign::dot;
        Chart chart(svg, {0, 0, figure_width, figure_height}, view.x, view.y, class_legend(view.classes, sign));
        draw(chart);
    }
    if (!view.others.empty()) description += " " + view.others;
    if (!view.rows.empty())
        description += view.rows.size() < view.row_count
                           ? " Points are " + std::to_string(view.rows.size()) + " rows drawn at random."
                           : " Points are the rows.";
    return {std::move(title), std::move(description), figure_width, figure_height, svg.take()};
}

std::string kind_of_boundary(const PlaneView& view) {
    if (view.cells) return "Columns of whole numbers and levels have their own values only, so the regions have steps.";
    return view.straight
               ? "The scores of the classes differ by linear functions, so the boundaries are straight."
               : "The scores of the classes differ by more than linear functions, so the boundaries are curved.";
}

// The least step between the values of an axis.
double step_of(std::set<double> values) {
    double step = INFINITY;
    for (auto at = values.begin(); at != values.end() && std::next(at) != values.end(); ++at)
        step = std::min(step, *std::next(at) - *at);
    return std::isfinite(step) ? step : 1;
}

// A mark for each class at each pair of values, side by side; the largest fills its place.
void draw_probabilities(Chart& chart, const PlaneView& view) {
    const std::size_t classes = view.classes.size();
    std::set<double> xs, ys;
    std::map<std::pair<double, double>, std::size_t> corner_of;
    double largest = 0;
    for (std::size_t k = 0; k < view.places.size(); ++k) {
        xs.insert(view.places[k].x);
        ys.insert(view.places[k].y);
        corner_of.emplace(std::pair(view.places[k].x, view.places[k].y), k);
        for (std::size_t c = 0; c < classes; ++c)
            largest = std::max(largest, std::exp(view.log_density[k * classes + c]));
    }
    const double slot = 0.9 * step_of(xs) / static_cast<double>(classes), high = 0.9 * step_of(ys);
    for (const auto& [place, k] : corner_of)
        for (std::size_t c = 0; c < classes; ++c) {
            const double side = std::sqrt(std::exp(view.log_density[k * classes + c]) / largest) / 2;
            const double middle = place.first + (static_cast<double>(c) - static_cast<double>(classes - 1) / 2) * slot;
            chart.bar(middle - side * slot, middle + side * slot, place.second - side * high,
                      place.second + side * high, "f" + std::to_string(c % class_colour_count), 0.85);
        }
}

}  // namespace

Figure posterior_figure(const PlaneView& view) {
    return plane_figure(view, "Posterior of " + view.model,
                        "Each point has the class colours mixed by their posterior probabilities; lines are where the "
                        "two leading classes are equally probable.",
                        [&](Chart& chart) {
                            chart.image(surface(view, 0.62, mixed_colour), view.grid.columns, view.grid.rows);
                            draw_boundaries(chart, view, "inked");
                            draw_rows(chart, view, dot_size(view));
                        });
}

Figure density_figure(const PlaneView& view) {
    if (view.discrete) {
        PlaneView bare = view;
        bare.rows.clear();
        return plane_figure(bare, "Class-conditional probabilities of " + view.model,
                            "The area of a mark is p(x | class) of its pair of values; the classes stand side by side.",
                            [&](Chart& chart) { draw_probabilities(chart, view); });
    }
    return plane_figure(
        view, "Class-conditional densities of " + view.model,
        "Contours of p(x | class) where it has fallen to exp(-1/2), exp(-2) and exp(-9/2) of its maximum: one, two and "
        "three standard deviations of a Gaussian.",
        [&](Chart& chart) {
            const std::size_t classes = view.classes.size();
            for (const auto& row : view.rows)
                if (row.label >= 0) chart.dot(row.at, static_cast<std::size_t>(row.label), 0.75 * dot_size(view));
            for (std::size_t c = 0; c < classes; ++c) {
                std::vector<double> density(view.grid.size());
                double largest = -INFINITY;
                for (std::size_t k = 0; k < density.size(); ++k) {
                    density[k] = view.log_density[k * classes + c];
                    if (std::isfinite(density[k])) largest = std::max(largest, density[k]);
                }
                for (const double deviations : {1.0, 2.0, 3.0})
                    for (const auto& line : contour_lines(view.grid, density, largest - deviations * deviations / 2))
                        chart.line(line,
                                   "s" + std::to_string(c % class_colour_count) + (deviations < 2 ? " thick" : ""),
                                   dash_of(c));
            }
        });
}

Figure boundary_figure(const PlaneView& view) {
    return plane_figure(
        view, "Decision boundaries of " + view.model,
        "Each region has the colour of its most probable class. " + kind_of_boundary(view) +
            (view.classes.size() > 2 ? " Each pairwise boundary is drawn only where its two classes lead all others."
                                     : ""),
        [&](Chart& chart) {
            const auto leader = [](std::span<const double> posterior) {
                const auto best = std::ranges::max_element(posterior) - posterior.begin();
                return class_colour(static_cast<std::size_t>(best));
            };
            chart.image(surface(view, 0.16, leader), view.grid.columns, view.grid.rows);
            draw_boundaries(chart, view, "inked thick");
            draw_rows(chart, view, dot_size(view));
        });
}

}  // namespace suffice
