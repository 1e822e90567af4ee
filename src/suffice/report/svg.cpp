// Writes SVG.
#include "suffice/report/svg.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "suffice/base/visible.hpp"

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
    for (const char letter : visible_lines(words)) switch (letter) {
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
                safe += letter;
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

namespace {

// Hundredths of the size, from blank to tilde: for each letter the widest of DejaVu Sans, Noto Sans and Liberation
// Sans, which are as wide as Verdana, Segoe UI, Roboto and Helvetica at least.
constexpr std::array<std::uint8_t, 95> letter_widths{
    32, 41, 46, 84, 64, 96, 78, 28, 40,  40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 56, 102, 69, 69, 73, 77, 67, 62, 78, 76, 30, 50, 67, 56, 87, 75, 79,
    67, 79, 73, 67, 62, 74, 69, 99, 69,  67, 69, 40, 34, 40, 84, 56, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84};

// Of the letter that begins with this byte; nothing for bytes within a letter.
double letter_width(char byte) {
    const auto lead = static_cast<unsigned char>(byte);
    if (lead >= 0xE0) return 1.0;  // arrows, an ellipsis, letters of Chinese
    if (lead >= 0xC0) return 0.75;
    return lead >= ' ' && lead <= '~' ? letter_widths[lead - ' '] / 100.0 : 0.0;
}

}  // namespace

double text_width(std::string_view words, double size) {
    double width = 0;
    for (const char byte : words) width += letter_width(byte);
    return size * width;
}

std::string fitted_text(std::string_view raw, double width, double size) {
    const std::string words = visible(raw);
    if (text_width(words, size) <= width) return words;
    const std::string ellipsis = "\xE2\x80\xA6";
    double left = width / size - letter_width(ellipsis[0]);
    std::size_t end = 0;
    for (; end < words.size(); ++end) {
        left -= letter_width(words[end]);
        const bool inside = (static_cast<unsigned char>(words[end]) & 0xC0) == 0x80;  // never cut there
        if (left < 0 && end > 0 && !inside) break;
    }
    return words.substr(0, end) + ellipsis;
}

}  // namespace suffice
