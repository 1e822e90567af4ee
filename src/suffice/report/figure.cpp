// Wraps pictures.
#include "suffice/report/figure.hpp"

#include "suffice/report/svg.hpp"
#include "suffice/report/theme.hpp"

namespace suffice {
namespace {

constexpr double head_height = 34, line_height = 15, caption_size = 11;
constexpr double bold_head_size = 16;  // 14, and bold letters are wider

std::string view_box(double width, double height) { return "0 0 " + svg_number(width) + " " + svg_number(height); }

// Words broken into lines of at most this width.
std::vector<std::string> lines_of(const std::string& words, double width, double size) {
    std::vector<std::string> lines(1);
    std::size_t at = 0;
    while (at < words.size()) {
        const auto end = std::min(words.find(' ', at), words.size());
        const std::string word = words.substr(at, end - at);
        std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
        if (!lines.back().empty() && text_width(longer, size) > width)
            lines.push_back(word);
        else
            lines.back() = std::move(longer);
        at = end + 1;
    }
    return lines;
}

}  // namespace

std::string inline_svg(const Figure& figure) {
    SvgText svg;
    svg.open("svg", {{"class", "fig"},
                     {"role", "img"},
                     {"viewBox", view_box(figure.width, figure.height)},
                     {"style", "max-width:" + svg_number(figure.width * 1.35) + "px"}});
    svg.titled("title", figure.title);
    svg.titled("desc", figure.description);
    return svg.take() + figure.body + "</svg>";
}

std::string standalone_svg(const Figure& figure) {
    const auto caption = lines_of(figure.description, figure.width - 24, caption_size);
    const double height = head_height + figure.height + line_height * static_cast<double>(caption.size()) + 10;
    SvgText svg;
    svg.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                     {"class", "fig"},
                     {"role", "img"},
                     {"width", figure.width},
                     {"height", height},
                     {"viewBox", view_box(figure.width, height)}});
    svg.titled("title", figure.title);
    svg.titled("desc", figure.description);
    svg.titled("style", file_css());
    svg.element("rect", {{"width", "100%"}, {"height", "100%"}, {"class", "paper"}});
    svg.text(12, 22, fitted_text(figure.title, figure.width - 24, bold_head_size), "head");
    std::string text =
        svg.take() + "<g transform=\"translate(0 " + svg_number(head_height) + ")\">" + figure.body + "</g>";
    double y = head_height + figure.height + line_height;
    for (const auto& line : caption) {
        svg.text(12, y, line, "soft small");
        y += line_height;
    }
    return text + svg.take() + "</svg>\n";
}

}  // namespace suffice
