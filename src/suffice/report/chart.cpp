// Draws charts.
#include "suffice/report/chart.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "suffice/report/number_text.hpp"
#include "suffice/report/theme.hpp"

namespace suffice {
namespace {

constexpr double text_size = 12, tick_size = 11;

// Room left of the frame: the widest tick label, and the title turned upright.
double left_room(const ChartAxis& y) {
    double widest = 0;
    for (const auto& tick : y.ticks) widest = std::max(widest, text_width(tick.label, tick_size));
    return widest + 10 + (y.title.empty() ? 2 : 22);
}

// How far the label of a tick at this share of the frame's width reaches beyond the frame's end.
double beyond_end(const ChartTick& tick, double share_left, double width) {
    return text_width(tick.label, tick_size) / 2 - share_left * width;
}

double bottom_room(const ChartAxis& x) { return (x.ticks.empty() ? 4 : 20) + (x.title.empty() ? 0 : 18); }

PixelBox frame_of(const PixelBox& place, const ChartAxis& x, const ChartAxis& y, double legend, bool square) {
    PixelBox area;
    double left = left_room(y), right = 12;
    for (const auto& tick : x.ticks) {
        const double at = (tick.at - x.low) / (x.high - x.low), width = place.width - left - right;
        left = std::max(left, beyond_end(tick, at, width) + 2);
        right = std::max(right, beyond_end(tick, 1 - at, width) + 2);
    }
    area.left = place.left + left;
    area.top = place.top + legend + 10;
    area.width = place.width - left - right;
    area.height = place.height - legend - 10 - bottom_room(x);
    if (square) {
        const double side = std::min(area.width, area.height);
        area.left += (area.width - side) / 2;
        area.width = area.height = side;
    }
    return area;
}

std::string range_text(const ChartAxis& axis) { return short_number(axis.low, 8) + " " + short_number(axis.high, 8); }

}  // namespace

std::vector<LegendEntry> class_legend(const std::vector<std::string>& classes, LegendEntry::Sign sign) {
    std::vector<LegendEntry> entries;
    for (std::size_t c = 0; c < classes.size(); ++c) {
        const std::string code = std::to_string(c % class_colour_count);
        entries.push_back({classes[c], sign == LegendEntry::Sign::line ? "s" + code : "f" + code, sign, c, dash_of(c)});
    }
    return entries;
}

Chart::Chart(SvgText& svg, PixelBox place, ChartAxis x, ChartAxis y, const std::vector<LegendEntry>& legend,
             bool square)
    : svg_(svg),
      x_(std::move(x)),
      y_(std::move(y)),
      area_(frame_of(place, x_, y_, legend_height(legend, place.width), square)) {
    draw_legend(svg_, {place.left, place.top, place.width, 0}, legend);
    const auto [left, top, width, height] = area_;
    for (const auto& tick : x_.ticks) {
        const double at = left + x_at(tick.at);
        if (x_.grid) svg_.element("path", {{"class", "grid"}, {"d", path_of({{{at, top}, {at, top + height}}})}});
        svg_.text(at, top + height + 15, tick.label, "soft small mid");
    }
    for (const auto& tick : y_.ticks) {
        const double at = top + y_at(tick.at);
        if (y_.grid) svg_.element("path", {{"class", "grid"}, {"d", path_of({{{left, at}, {left + width, at}}})}});
        svg_.text(left - 6, at + 4, tick.label, "soft small end");
    }
    if (!x_.title.empty())
        svg_.text(left + width / 2, top + height + bottom_room(x_) - 5, fitted_text(x_.title, width, text_size), "mid");
    if (!y_.title.empty()) {
        const double at = left - left_room(y_) + 15, middle = top + height / 2;
        svg_.text(at, middle, fitted_text(y_.title, height + 20, text_size), "mid",
                  {{"transform", "rotate(-90 " + svg_number(at) + " " + svg_number(middle) + ")"}});
    }
    // Clips what is drawn inside; its ranges let a page read out places.
    svg_.open("svg", {{"x", left},
                      {"y", top},
                      {"width", width},
                      {"height", height},
                      {"data-x", range_text(x_)},
                      {"data-y", range_text(y_)},
                      {"data-x-title", x_.title},
                      {"data-y-title", y_.title}});
}

Chart::~Chart() {
    svg_.close();
    svg_.element("rect", {{"x", area_.left},
                          {"y", area_.top},
                          {"width", area_.width},
                          {"height", area_.height},
                          {"class", "open frame"}});
}

double Chart::x_at(double value) const { return (value - x_.low) / (x_.high - x_.low) * area_.width; }
double Chart::y_at(double value) const { return (y_.high - value) / (y_.high - y_.low) * area_.height; }
PlotPoint Chart::at(PlotPoint data) const { return {x_at(data.x), y_at(data.y)}; }

void Chart::line(std::span<const PlotPoint> data, std::string_view style, std::string_view dash) {
    std::vector<PlotPoint> pixels;
    for (const auto& point : data) pixels.push_back(at(point));
    svg_.element("path", {{"class", "open " + std::string(style)}, {"stroke-dasharray", dash}, {"d", path_of(pixels)}});
}

void Chart::area(std::span<const PlotPoint> data, std::string_view style, double opacity) {
    std::vector<PlotPoint> pixels;
    for (const auto& point : data) pixels.push_back(at(point));
    svg_.element("path", {{"class", style}, {"fill-opacity", opacity}, {"d", path_of(pixels, true)}});
}

void Chart::bar(double low, double high, double from, double to, std::string_view style, double opacity) {
    const double left = x_at(low), right = x_at(high), top = y_at(std::max(from, to)),
                 bottom = y_at(std::min(from, to));
    svg_.element("rect", {{"x", left},
                          {"y", top},
                          {"width", std::max(0.5, right - left)},
                          {"height", std::max(0.0, bottom - top)},
                          {"class", style},
                          {"fill-opacity", opacity}});
}

void Chart::dot(PlotPoint data, std::size_t class_code, double size) { dots({&data, 1}, class_code, size); }

void Chart::dots(std::span<const PlotPoint> data, std::size_t class_code, double size) {
    if (data.empty()) return;
    std::string path;
    for (const PlotPoint& point : data) path += dot_path(class_code, at(point), size);
    svg_.element("path", {{"class", "dot f" + std::to_string(class_code % class_colour_count)}, {"d", path}});
}

void Chart::vertical(double x, std::string_view style) {
    svg_.element("path",
                 {{"class", "open " + std::string(style)}, {"d", path_of({{{x_at(x), 0}, {x_at(x), area_.height}}})}});
}

void Chart::horizontal(double y, std::string_view style) {
    svg_.element("path",
                 {{"class", "open " + std::string(style)}, {"d", path_of({{{0, y_at(y)}, {area_.width, y_at(y)}}})}});
}

void Chart::words(PlotPoint data, std::string_view words, std::string_view style, double dx, double dy) {
    svg_.text(x_at(data.x) + dx, y_at(data.y) + dy, words, style);
}

void Chart::image(std::string_view uri, std::size_t columns, std::size_t rows) {
    const double wide = area_.width / static_cast<double>(columns - 1);
    const double high = area_.height / static_cast<double>(rows - 1);
    svg_.element("image", {{"x", -wide / 2},
                           {"y", -high / 2},
                           {"width", area_.width + wide},
                           {"height", area_.height + high},
                           {"preserveAspectRatio", "none"},
                           {"href", uri}});
}

namespace {

// A closed path in steps from corner to corner, which are shorter to write than places.
std::string around(const std::vector<PlotPoint>& corners) {
    std::string path = "M" + svg_number(corners[0].x) + " " + svg_number(corners[0].y) + "l";
    for (std::size_t k = 1; k < corners.size(); ++k) {
        const std::string dy = svg_number(corners[k].y - corners[k - 1].y);
        path += (k == 1 ? "" : " ") + svg_number(corners[k].x - corners[k - 1].x) + (dy[0] == '-' ? "" : " ") + dy;
    }
    return path + 'z';
}

}  // namespace

std::string dot_path(std::size_t shape, PlotPoint centre, double size) {
    const auto [x, y] = centre;
    const auto polygon = [&](std::size_t corners, double turn, double radius) {
        std::vector<PlotPoint> points;
        for (std::size_t k = 0; k < corners; ++k) {
            const double angle = turn + 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(corners);
            points.push_back({x + radius * std::sin(angle), y - radius * std::cos(angle)});
        }
        return around(points);
    };
    const auto cross = [&](double turn) {
        std::vector<PlotPoint> points;
        constexpr double wide = 1.25, slim = 0.45;
        for (int arm = 0; arm < 4; ++arm)
            for (const auto& [u, v] : {PlotPoint{-slim, -wide}, PlotPoint{slim, -wide}, PlotPoint{slim, -slim}}) {
                const double angle = turn + arm * std::numbers::pi / 2;
                points.push_back({x + size * (u * std::cos(angle) - v * std::sin(angle)),
                                  y + size * (u * std::sin(angle) + v * std::cos(angle))});
            }
        return around(points);
    };
    switch (shape % class_colour_count) {
        case 1:
            return polygon(4, std::numbers::pi / 4, 1.25 * size);
        case 2:
            return polygon(3, 0, 1.4 * size);
        case 3:
            return polygon(4, 0, 1.35 * size);
        case 4:
            return polygon(3, std::numbers::pi, 1.4 * size);
        case 5:
            return cross(0);
        case 6:
            return cross(std::numbers::pi / 4);
        case 7:
            return polygon(6, 0, 1.15 * size);
        default: {
            const std::string r = svg_number(size), d = svg_number(2 * size);
            return "M" + svg_number(x - size) + " " + svg_number(y) + "a" + r + " " + r + " 0 1 0 " + d + " 0a" + r +
                   " " + r + " 0 1 0 -" + d + " 0";
        }
    }
}

}  // namespace suffice
