// Finds the rows that errors are about.
#include "suffice/flow/where.hpp"

#include <algorithm>
#include <cmath>

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

Error in_data(Error error, const TableReader& reader) {
    if (error.file.empty() && reader.files().size() == 1) error.file = reader.files().front();
    return error;
}

Error at_counted_row(Error error, OpenedData& opened) {
    if (!error.row || !error.file.empty() || !opened.stream->rewind()) return in_data(std::move(error), *opened.reader);
    const auto drawn = opened.stream->drawn();
    const auto lane = opened.stream->lane();
    for (;;) {
        const auto more = opened.stream->draw(*drawn);
        if (!more || !*more) break;
        const auto block = opened.stream->decode(*drawn, *lane);
        if (!block) break;
        if (*error.row <= block->first_row + block->size()) return opened.stream->located(std::move(error), *lane);
    }
    return in_data(std::move(error), *opened.reader);
}

Error at_refused_row(Error error, OpenedData& opened, const ModelState& recipe) {
    error = in_data(std::move(error), *opened.reader);
    if (error.column.empty() || error.row || !opened.stream->rewind()) return error;
    Workspace workspace;
    const auto drawn = opened.stream->drawn();
    const auto lane = opened.stream->lane();
    const ModelStatistic blank = recipe.statistic.blank();
    for (;;) {
        const auto more = opened.stream->draw(*drawn);
        if (!more || !*more) return error;
        const auto block = opened.stream->decode(*drawn, *lane);
        if (!block) return error;
        if (!refuses(blank, *block, lane->names, workspace)) continue;
        for (std::size_t row = 0; row < block->size(); ++row)
            if (refuses(blank, block->slice(row, 1), lane->names, workspace)) {
                error.file.clear();
                error.row = block->first_row + row + 1;
                name_infinite_column(error, block->rows, row, lane->names);
                return opened.stream->located(std::move(error), *lane);
            }
    }
}

}  // namespace suffice
