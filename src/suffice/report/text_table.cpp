// Lines up tables.
#include "suffice/report/text_table.hpp"

#include <algorithm>

#include "suffice/base/visible.hpp"

namespace suffice {

std::size_t shown_width(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char letter) { return (static_cast<unsigned char>(letter) & 0xC0) != 0x80; }));
}

void TextTable::row(std::vector<std::string> cells) {
    for (auto& cell : cells) cell = visible(cell);
    rows_.push_back(std::move(cells));
}

std::string TextTable::text(std::string_view indent) const {
    std::vector<std::size_t> width(sides_.size());
    for (const auto& cells : rows_)
        for (std::size_t k = 0; k < cells.size(); ++k) width[k] = std::max(width[k], shown_width(cells[k]));
    std::string text;
    for (const auto& cells : rows_) {
        text += indent;
        for (std::size_t k = 0; k < cells.size(); ++k) {
            const std::string blanks(width[k] - shown_width(cells[k]), ' ');
            if (k > 0) text += "  ";
            text += sides_[k] == Side::right ? blanks + cells[k] : cells[k] + blanks;
        }
        while (!text.empty() && text.back() == ' ') text.pop_back();
        text += '\n';
    }
    return text;
}

}  // namespace suffice
