// Writes SVG.
#include "suffice/report/svg.hpp"

#include <cmath>
#include <cstdio>

#include "suffice/report/text_table.hpp"

namespace suffice {

std::string svg_number(double number) {
    if (!std::isfinite(number)) return "0";
    char text[400];
    std::snprintf(text, sizeof text, "%.2f", number);
    std::string shown = text;
    while (shown.back() == '0') shown.pop_back();
    if (shown.back() == '.') shown.pop_back();
    return shown == "-0" ? "0" : shown;
}

SvgValue::SvgValue(double number) : text_(svg_number(number)) {}

std::string markup(std::string_view words) {
    std::string safe;
    for (const char letter : words) switch (letter) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                if (static_cast<unsigned char>(letter) >= 0x20 || letter == '\n') safe += letter;
        }
    return safe;
}

void SvgText::lead(std::string_view tag, SvgAttributes attributes) {
    out_ += '<';
    out_ += tag;
    for (const auto& [name, value] : attributes) {
        if (value.text().empty()) continue;
        out_ += ' ';
        out_ += name;
        out_ += "=\"";
        out_ += markup(value.text());
        out_ += '"';
    }
}

void SvgText::open(std::string_view tag, SvgAttributes attributes) {
    lead(tag, attributes);
    out_ += '>';
    open_.emplace_back(tag);
}

void SvgText::close() {
    out_ += "</" + open_.back() + ">";
    open_.pop_back();
}

void SvgText::element(std::string_view tag, SvgAttributes attributes) {
    lead(tag, attributes);
    out_ += "/>";
}

void SvgText::text(double x, double y, std::string_view words, std::string_view style, SvgAttributes more) {
    out_ += "<text x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" class=\"" + std::string(style) + "\"";
    for (const auto& [name, value] : more) {
        out_ += ' ';
        out_ += name;
        out_ += "=\"" + markup(value.text()) + "\"";
    }
    out_ += ">" + markup(words) + "</text>";
}

void SvgText::titled(std::string_view tag, std::string_view words) {
    const std::string name(tag);
    out_ += "<" + name + ">" + markup(words) + "</" + name + ">";
}

std::string SvgText::take() { return std::exchange(out_, {}); }

std::string path_of(std::span<const PlotPoint> points, bool closed) {
    std::string path;
    bool drawing = false;
    for (const auto& point : points) {
        if (!std::isfinite(point.x) || !std::isfinite(point.y)) {
            drawing = false;
            continue;
        }
        path += (drawing ? "L" : "M") + svg_number(point.x) + " " + svg_number(point.y);
        drawing = true;
    }
    if (closed && !path.empty()) path += 'Z';
    return path;
}

double text_width(std::string_view words, double size) {
    constexpr double mean_letter = 0.56;  // of the size; DejaVu Sans 0.6, Helvetica 0.53
    return mean_letter * size * static_cast<double>(shown_width(words));
}

std::string fitted_text(std::string_view words, double width, double size) {
    if (text_width(words, size) <= width) return std::string(words);
    const auto room = static_cast<std::size_t>(std::max(1.0, width / text_width("n", size) - 1));
    std::size_t letters = 0, end = 0;
    for (; end < words.size(); ++end) {  // never inside a letter of several bytes
        if ((static_cast<unsigned char>(words[end]) & 0xC0) == 0x80) continue;
        if (letters++ == room) break;
    }
    return std::string(words.substr(0, end)) + "\xE2\x80\xA6";
}

}  // namespace suffice
