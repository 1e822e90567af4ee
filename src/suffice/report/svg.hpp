// SVG as text, written from front to back: elements, attributes, paths. Knows nothing of charts.
#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace suffice {

struct PlotPoint {
    double x = 0, y = 0;
};

// An attribute's value: words, or a number with at most two decimals.
class SvgValue {
public:
    SvgValue(double number);
    SvgValue(const char* words) : text_(words) {}
    SvgValue(std::string_view words) : text_(words) {}
    SvgValue(std::string words) : text_(std::move(words)) {}
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

using SvgAttributes = std::initializer_list<std::pair<std::string_view, SvgValue>>;

class SvgText {
public:
    void open(std::string_view tag, SvgAttributes attributes = {});
    void close();  // what was opened last
    void element(std::string_view tag, SvgAttributes attributes);
    void text(double x, double y, std::string_view words, std::string_view style, SvgAttributes more = {});
    void titled(std::string_view tag, std::string_view words);  // <title>, <desc>
    std::string take();

private:
    void lead(std::string_view tag, SvgAttributes attributes);

    std::string out_;
    std::vector<std::string> open_;
};

std::string svg_number(double number);
// The letters & < > and quotes as entities, for SVG and HTML alike; what is not seen is spelled out.
std::string markup(std::string_view words);

// "M0 0L1 2..."; a point that is not finite breaks the line.
std::string path_of(std::span<const PlotPoint> points, bool closed = false);

// How wide words of this size (in pixels) are at most, in a usual sans-serif. Above its baseline a letter needs 1.25 of
// the size, below it a third.
double text_width(std::string_view words, double size);
// Words that fit into a width, with an ellipsis where they were cut.
std::string fitted_text(std::string_view words, double width, double size);

}  // namespace suffice
