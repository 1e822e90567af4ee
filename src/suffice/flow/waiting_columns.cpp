// Looks for the first value of columns that begin with none.
#include "suffice/flow/waiting_columns.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/read/word_look.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

// Takes the kind from the first value among the cells; false where there is none.
bool settle(const Cells& cells, FoundColumn& column) {
    if (!cells.numbers.empty()) {
        const auto value = std::ranges::find_if(cells.numbers, [](double x) { return !std::isnan(x); });
        if (value == cells.numbers.end()) return false;
        column.kind = *value == 0 || *value == 1 ? ColumnKind::flag : ColumnKind::number;
        append_number(column.example, *value);
        return true;
    }
    const auto there = [](std::string_view word) { return word.data() != nullptr; };
    const auto word = std::ranges::find_if(cells.words, there);
    const auto code = std::ranges::find_if(cells.codes, [](std::int32_t entry) { return entry >= 0; });
    if (word == cells.words.end() && code == cells.codes.end()) return false;
    column.kind = cells.kind == ColumnKind::text ? ColumnKind::text : ColumnKind::category;
    column.example = word != cells.words.end() ? *word : cells.dictionary[static_cast<std::size_t>(*code)];
    column.looks_like_date = is_date(column.example);
    return true;
}

}  // namespace

Result<std::vector<FoundColumn>> settle_waiting_columns(TableReader& reader, std::vector<std::uint32_t> waiting) {
    std::vector<FoundColumn> found = reader.columns();
    for (std::uint32_t k = 0; k < found.size(); ++k)
        reader.want(k, std::ranges::find(waiting, k) != waiting.end(), found[k].kind);
    TableUnit unit;
    while (!waiting.empty()) {
        const Progress so_far = reader.progress();
        if (so_far.total_bytes == 0 && so_far.bytes > waiting_limit) break;
        const auto more = reader.draw(unit);
        if (!more) return more.error();
        if (!*more) break;
        if (auto decoded = reader.decode(unit); !decoded) return decoded.error();
        std::erase_if(waiting, [&](std::uint32_t k) {
            if (!settle(unit.columns[k], found[k])) return false;
            found[k].all_missing = false;
            return true;
        });
    }
    if (auto again = reader.rewind(); !again) return again.error();
    return found;
}

}  // namespace suffice
