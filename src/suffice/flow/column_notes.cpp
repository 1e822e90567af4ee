// Gathers columns by what is said of them.
#include "suffice/flow/column_notes.hpp"

#include <algorithm>

#include "suffice/report/number_text.hpp"

namespace suffice {

void ColumnNotes::add(const std::string& column, const std::string& example, ColumnWords one, ColumnWords many) {
    auto kind = std::ranges::find(kinds_, one, &Kind::one);
    if (kind == kinds_.end()) kind = kinds_.insert(kind, {std::move(one), std::move(many), example, {}});
    kind->columns.push_back(column);
}

std::vector<Note> ColumnNotes::notes() const {
    std::vector<Note> all;
    for (const Kind& kind : kinds_) {
        const bool alone = kind.columns.size() == 1;
        const ColumnWords& said = alone ? kind.one : kind.many;
        all.emplace_back((alone ? "the column " + kind.columns[0] : "the columns " + listed(kind.columns, 5)) +
                         said.head + kind.example + said.tail);
    }
    return all;
}

}  // namespace suffice
