// Finds the rows that errors are about.
#include "suffice/flow/where.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "suffice/data/for_each_block.hpp"

namespace suffice {
namespace {

bool refuses(const ModelStatistic& blank, const LabeledBlock& rows, const Schema& names, Workspace& workspace) {
    ModelStatistic seen = blank;
    seen.grow(names);
    seen.observe(rows.rows, {seen.schema.classes.size(), rows.label, rows.weight}, workspace);
    return std::ranges::any_of(seen.parts, [&](const Part& part) { return !part.refuses(seen.schema); });
}

// Columns that are refused together name the first of them; where another one is the infinite one, that is meant.
void name_infinite_column(Error& error, const Block& rows, std::size_t row, const Schema& names) {
    std::string found;
    for (std::size_t k = 0; k < names.columns.size(); ++k) {
        if (names.columns[k].kind == ColumnKind::text || !std::isinf(value_at(rows, row, k))) continue;
        if (names.columns[k].name == error.column) return;
        if (found.empty()) found = names.columns[k].name;
    }
    if (!found.empty()) error.column = found;
}

}  // namespace

std::vector<Note> notes_of_reading(const TableReader& reader) {
    std::vector<Note> notes;
    if (const auto replaced = reader.replaced_bytes(); replaced > 0)
        notes.push_back({replaced == 1 ? std::string("a byte that is no UTF-8 was replaced")
                                       : std::to_string(replaced) + " bytes that are no UTF-8 were replaced",
                         {{"encoding", "latin-1", "use", "to read each byte as a letter"}}});
    if (const auto skipped = reader.skipped_rows(); skipped > 0)
        notes.push_back(std::to_string(skipped) + " ragged rows were skipped");
    return notes;
}

Error in_data(Error error, const TableReader& reader) {
    if (error.file.empty() && reader.files().size() == 1) error.file = reader.files().front();
    return error;
}

Error at_counted_row(Error error, Stream& rows) {
    if (!error.row || !error.file.empty() || !rows.rewind()) return error;
    std::optional<Error> placed;
    (void)for_each_block(rows, [&](const LabeledBlock& block, const Stream::Lane& lane) -> Result<bool> {
        if (*error.row <= block.first_row + block.size()) placed = rows.located(error, lane);
        return !placed;
    });
    return placed.value_or(error);
}

Error at_refused_row(Error error, Stream& rows, const ModelState& recipe) {
    if (error.column.empty() || error.row || !rows.rewind()) return error;
    Workspace workspace;
    const ModelStatistic blank = recipe.statistic.blank();
    std::optional<Error> placed;
    (void)for_each_block(rows, [&](const LabeledBlock& block, const Stream::Lane& lane) -> Result<bool> {
        if (!refuses(blank, block, lane.names, workspace)) return true;
        for (std::size_t row = 0; row < block.size() && !placed; ++row)
            if (refuses(blank, block.slice(row, 1), lane.names, workspace)) {
                placed = error;
                placed->file.clear();
                placed->row = block.first_row + row + 1;
                name_infinite_column(*placed, block.rows, row, lane.names);
                placed = rows.located(*placed, lane);
            }
        return !placed;
    });
    return placed.value_or(error);
}

}  // namespace suffice
