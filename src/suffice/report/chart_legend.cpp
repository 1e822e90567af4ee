// Lays out legends: entries side by side, wrapped into rows.
#include <algorithm>

#include "suffice/report/chart.hpp"

namespace suffice {
namespace {

constexpr double sign_width = 18, gap = 16, row_height = 20, words_size = 12, most_rows = 5;

struct PlacedEntry {
    double x = 0, row = 0;
    std::string words;
    bool drawn = true;  // false: only words, how many entries there was no room for
};

std::vector<PlacedEntry> placed(const std::vector<LegendEntry>& legend, double width) {
    std::vector<PlacedEntry> entries;
    double x = 0, row = 0;
    // Where every entry may have a row of its own, none is cut before the row ends.
    const double whole = width - sign_width - 12,
                 longest = static_cast<double>(legend.size()) <= most_rows ? whole : std::min(whole, 260.0);
    for (const auto& entry : legend) {
        std::string words = fitted_text(entry.words, longest, words_size);
        const double wide = sign_width + 4 + text_width(words, words_size) + gap;
        if (x > 0 && x + wide - gap > width - 10) {
            x = 0;
            ++row;
        }
        if (row >= most_rows) {
            entries.back() = {entries.back().x, entries.back().row,
                              "and " + std::to_string(legend.size() - entries.size() + 1) + " more", false};
            break;
        }
        entries.push_back({x, row, std::move(words)});
        x += wide;
    }
    return entries;
}

}  // namespace

double legend_height(const std::vector<LegendEntry>& legend, double width) {
    return legend.empty() ? 0 : row_height * (placed(legend, width).back().row + 1);
}

void draw_legend(SvgText& svg, PixelBox place, const std::vector<LegendEntry>& legend) {
    const auto entries = placed(legend, place.width);
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const double x = place.left + 8 + entries[k].x, y = place.top + row_height * (entries[k].row + 0.5);
        const LegendEntry& entry = legend[k];
        svg.text(x + (entries[k].drawn ? sign_width + 4 : 0), y + 4, entries[k].words, "");
        if (!entries[k].drawn) continue;
        if (entry.sign == LegendEntry::Sign::line)
            svg.element("path", {{"class", "open thick " + entry.style},
                                 {"stroke-dasharray", entry.dash},
                                 {"d", path_of({{{x, y}, {x + sign_width, y}}})}});
        else if (entry.sign == LegendEntry::Sign::dot)
            svg.element("path",
                        {{"class", "dot " + entry.style}, {"d", dot_path(entry.shape, {x + sign_width - 5, y}, 4)}});
        else
            svg.element("rect",
                        {{"x", x + 4}, {"y", y - 5}, {"width", 12.0}, {"height", 10.0}, {"class", entry.style}});
    }
}

}  // namespace suffice
