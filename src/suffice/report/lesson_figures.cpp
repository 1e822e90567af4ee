// Draws teaching pictures.
#include "suffice/report/lesson_figures.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/report/chart.hpp"
#include "suffice/report/png.hpp"
#include "suffice/report/theme.hpp"

namespace suffice {
namespace {

std::vector<LegendEntry> legend_of(const LessonPanel& panel) {
    std::vector<LegendEntry> legend;
    for (std::size_t k = 0; k < panel.curves.size(); ++k) {
        const LessonCurve& curve = panel.curves[k];
        if (curve.name.empty()) continue;
        using Drawn = LessonCurve::Drawn;
        using Sign = LegendEntry::Sign;
        const std::size_t own = curve.colour.value_or(k) % class_colour_count;
        const Sign sign = curve.drawn == Drawn::bars    ? Sign::patch
                          : curve.drawn == Drawn::stems ? Sign::dot
                                                        : Sign::line;
        legend.push_back({curve.name, (sign == Sign::line ? "s" : "f") + std::to_string(own), sign,
                          sign == Sign::dot ? own : k, curve.drawn == Drawn::dotted ? "1.5 4" : dash_of(k)});
    }
    return legend;
}

ChartAxis x_axis_of(const LessonPanel& panel) {
    if (panel.log_x) return magnitude_axis(panel.x_title, panel.x_low, panel.x_high);
    ChartAxis axis = number_axis(panel.x_title, panel.x_low, panel.x_high, 6);
    if (panel.whole_x) {
        std::erase_if(axis.ticks, [](const ChartTick& tick) { return std::abs(tick.at - std::round(tick.at)) > 1e-9; });
        for (ChartTick& tick : axis.ticks) tick.label = std::to_string(std::lround(tick.at));
    }
    if (panel.names.empty()) return axis;
    axis.ticks.clear();
    axis.grid = false;
    const std::size_t every = panel.names.size() / 12 + 1;  // of many names some
    for (std::size_t k = 0; k < panel.names.size(); k += every)
        axis.ticks.push_back({static_cast<double>(k), fitted_text(panel.names[k], 90, 11)});
    return axis;
}

// The bars of several curves share the room around a value.
void draw_bars(Chart& chart, const LessonPanel& panel) {
    constexpr double room = 0.72;
    std::vector<const LessonCurve*> sharing;
    for (const auto& curve : panel.curves)
        if (curve.drawn == LessonCurve::Drawn::bars) sharing.push_back(&curve);
    const double width = room / static_cast<double>(std::max<std::size_t>(1, sharing.size()));
    for (std::size_t k = 0; k < sharing.size(); ++k)
        for (const auto& point : sharing[k]->points) {
            const double left = point.x - room / 2 + width * static_cast<double>(k);
            chart.bar(left, left + width, 0, point.y,
                      "f" + std::to_string(sharing[k]->colour.value_or(k) % class_colour_count), 0.85);
        }
}

void draw_panel(SvgText& svg, const LessonPanel& panel, PixelBox place) {
    const double head = panel.title.empty() ? 0 : 20;
    if (head > 0) svg.text(place.left + 8, place.top + 14, panel.title, "head");
    Chart chart(svg, {place.left, place.top + head, place.width, place.height - head}, x_axis_of(panel),
                panel.log_y ? power_axis(panel.y_title, panel.y_low, panel.y_high)
                            : number_axis(panel.y_title, panel.y_low, panel.y_high, 5),
                legend_of(panel));
    for (const auto& bar : panel.bars) chart.bar(bar.low, bar.high, 0, bar.height, "f7", 0.3);
    for (const double mark : panel.marks) chart.vertical(mark, "faint dashed");
    for (const double level : panel.levels) chart.horizontal(level, "faint dashed");
    draw_bars(chart, panel);
    for (std::size_t k = 0; k < panel.curves.size(); ++k) {
        const auto& curve = panel.curves[k];
        if (curve.drawn == LessonCurve::Drawn::bars) continue;
        const std::size_t own = curve.colour.value_or(k);
        const std::string colour = std::to_string(own % class_colour_count);
        if (curve.drawn != LessonCurve::Drawn::stems)
            chart.line(curve.points, "thick s" + colour + (curve.drawn == LessonCurve::Drawn::dotted ? " dotted" : ""));
        else
            chart.line(curve.points, "s" + colour + " pale");  // a guide for the eye: only the dots have probability
        if (curve.drawn == LessonCurve::Drawn::stems || curve.drawn == LessonCurve::Drawn::marked)
            for (const auto& point : curve.points) chart.dot(point, own, 3);
    }
}

constexpr double simplex_height = 0.8660254037844386;  // of an equilateral triangle with sides of one

}  // namespace

Figure curves_figure(std::string title, std::string description, const std::vector<LessonPanel>& panels,
                     std::size_t columns) {
    const double wide = panels.size() == 1 ? 560 : 330, high = panels.size() == 1 ? 360 : 250, gap = 14;
    const std::size_t lines = (panels.size() + columns - 1) / columns;
    SvgText svg;
    for (std::size_t k = 0; k < panels.size(); ++k) {
        const std::size_t line = k / columns, place = k % columns;
        draw_panel(svg, panels[k],
                   {(wide + gap) * static_cast<double>(place), (high + gap) * static_cast<double>(line), wide, high});
    }
    return {std::move(title), std::move(description),
            (wide + gap) * static_cast<double>(std::min(columns, panels.size())) - gap,
            (high + gap) * static_cast<double>(lines) - gap, svg.take()};
}

PlotPoint simplex_point(const std::array<double, 3>& share) { return {share[1] + share[2] / 2, share[2]}; }

Figure simplex_figure(std::string title, std::string description, const std::vector<SimplexPanel>& panels,
                      const std::array<std::string, 3>& corners) {
    constexpr double side = 230, margin = 28, head = 26;
    const double high = side * simplex_height;
    SvgText svg;
    for (std::size_t k = 0; k < panels.size(); ++k) {
        const auto& panel = panels[k];
        const double left = margin + static_cast<double>(k) * (side + 2 * margin), top = head + 22;
        const auto pixel = [&](const std::array<double, 3>& share) {
            const auto [x, y] = simplex_point(share);
            return PlotPoint{left + side * x, top + high * (1 - y)};
        };
        svg.text(left + side / 2, 16, panel.title, "head mid");
        if (panel.side > 1) {
            std::vector<std::uint8_t> rgba;
            for (const double shade : panel.shade) {
                const Rgb colour = heat_colour(1);
                for (const double part : {colour.red, colour.green, colour.blue})
                    rgba.push_back(static_cast<std::uint8_t>(std::lround(part)));
                rgba.push_back(static_cast<std::uint8_t>(std::isnan(shade) ? 0 : std::lround(200 * shade)));
            }
            svg.element("image", {{"x", left},
                                  {"y", top},
                                  {"width", side},
                                  {"height", high},
                                  {"preserveAspectRatio", "none"},
                                  {"href", png_uri({panel.side, panel.side, rgba})}});
        }
        for (const auto& draw : panel.draws)
            svg.element("path", {{"class", "dot f1"}, {"d", dot_path(0, pixel(draw), 1.9)}});
        const std::array<PlotPoint, 3> corner{pixel({1, 0, 0}), pixel({0, 1, 0}), pixel({0, 0, 1})};
        svg.element("path", {{"class", "open frame"}, {"d", path_of(corner, true)}});
        svg.text(corner[0].x, corner[0].y + 16, corners[0], "soft mid");
        svg.text(corner[1].x, corner[1].y + 16, corners[1], "soft mid");
        svg.text(corner[2].x, corner[2].y - 7, corners[2], "soft mid");
    }
    return {std::move(title), std::move(description), static_cast<double>(panels.size()) * (side + 2 * margin),
            head + 22 + high + 26, svg.take()};
}

Figure steps_figure(std::string title, std::string description, const StepLesson& lesson) {
    constexpr double wide = 250, high = 232, head = 20;
    SvgText svg;
    std::vector<double> x, y;
    for (const auto& row : lesson.rows) {
        x.push_back(row.x);
        y.push_back(row.y);
    }
    std::size_t most = 0;
    for (std::size_t line = 0; line < lesson.lines.size(); ++line) {
        most = std::max(most, lesson.lines[line].size());
        for (std::size_t k = 0; k < lesson.lines[line].size(); ++k) {
            const auto& panel = lesson.lines[line][k];
            const double left = wide * static_cast<double>(k), top = (high + head) * static_cast<double>(line);
            svg.text(left + 12, top + 15, panel.title, "head");
            const bool last = line + 1 == lesson.lines.size();
            Chart chart(svg, {left, top + head, wide, high}, padded_axis(last ? lesson.x_title : "", x, 0.06),
                        padded_axis(k == 0 ? lesson.y_title : "", y, 0.06));
            for (std::size_t row = 0; row < lesson.rows.size(); ++row)
                chart.svg().element("path", {{"fill", css_colour(mixed_colour(panel.share[row]))},
                                             {"fill-opacity", 0.75},
                                             {"d", dot_path(0, chart.at(lesson.rows[row]), 2.1)}});
            for (std::size_t c = 0; c < panel.outlines.size(); ++c)
                chart.line(panel.outlines[c], "thick s" + std::to_string(c % class_colour_count));
            for (std::size_t c = 0; c < panel.centres.size(); ++c) {
                chart.svg().element("path", {{"class", "inkfill"}, {"d", dot_path(6, chart.at(panel.centres[c]), 7)}});
                chart.svg().element("path", {{"class", "f" + std::to_string(c % class_colour_count)},
                                             {"d", dot_path(6, chart.at(panel.centres[c]), 5)}});
            }
        }
    }
    return {std::move(title), std::move(description), wide * static_cast<double>(most) + 4,
            (high + head) * static_cast<double>(lesson.lines.size()), svg.take()};
}

}  // namespace suffice
