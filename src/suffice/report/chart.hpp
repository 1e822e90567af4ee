// A chart: a frame with two axes, a legend above it, and what is drawn into it in data coordinates.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "suffice/report/chart_axis.hpp"
#include "suffice/report/svg.hpp"

namespace suffice {

struct PixelBox {
    double left = 0, top = 0, width = 0, height = 0;
};

struct LegendEntry {
    enum class Sign : unsigned char { line, dot, patch };
    std::string words;
    std::string style;  // classes of the style sheet; "s0 thick", "f0"
    Sign sign = Sign::line;
    std::size_t shape = 0;  // of a dot
    std::string dash = {};
};
// One entry per class, with its colour, shape and dashes.
std::vector<LegendEntry> class_legend(const std::vector<std::string>& classes, LegendEntry::Sign sign);

class Chart {
public:
    // Draws frame, grid, ticks, titles and legend inside `place`, which also holds all labels. `square`: one unit of x
    // is as long as one of y is high in pixels, for axes of equal length.
    Chart(SvgText& svg, PixelBox place, ChartAxis x, ChartAxis y, const std::vector<LegendEntry>& legend = {},
          bool square = false);
    ~Chart();
    Chart(const Chart&) = delete;
    Chart& operator=(const Chart&) = delete;

    // Pixels inside the frame, from its upper left corner.
    PlotPoint at(PlotPoint data) const;
    double x_at(double value) const;
    double y_at(double value) const;
    double width() const { return area_.width; }
    double height() const { return area_.height; }
    SvgText& svg() { return svg_; }

    void line(std::span<const PlotPoint> data, std::string_view style, std::string_view dash = {});
    void area(std::span<const PlotPoint> data, std::string_view style, double opacity = 0.25);
    void bar(double low, double high, double from, double to, std::string_view style, double opacity = 1);
    void dot(PlotPoint data, std::size_t class_code, double size = 3);
    void dots(std::span<const PlotPoint> data, std::size_t class_code, double size);  // in one path: many are small
    void vertical(double x, std::string_view style);
    void horizontal(double y, std::string_view style);
    void words(PlotPoint data, std::string_view words, std::string_view style, double dx = 0, double dy = 0);
    // A picture whose outermost pixels have their middles on the frame; `uri` is a data URI.
    void image(std::string_view uri, std::size_t columns, std::size_t rows);

private:
    SvgText& svg_;
    ChartAxis x_, y_;
    PixelBox area_;
};

// Circle, square, triangle, diamond, triangle on its head, cross, plus, hexagon: one per class colour.
std::string dot_path(std::size_t shape, PlotPoint centre, double size);

// How high a legend is that wraps within a width.
double legend_height(const std::vector<LegendEntry>& legend, double width);
void draw_legend(SvgText& svg, PixelBox place, const std::vector<LegendEntry>& legend);

}  // namespace suffice
