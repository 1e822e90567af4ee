// Finds the rows that errors are about.
#include "suffice/flow/where.hpp"

#include <algorithm>

namespace suffice {
namespace {

bool refuses(const ModelStatistic& blank, const LabeledBlock& rows, const Schema& names, Workspace& workspace) {
    ModelStatistic seen = blank;
    seen.grow(names);
    seen.observe(rows.rows, {seen.schema.classes.size(), rows.label, rows.weight}, workspace);
    return std::ranges::any_of(seen.parts, [&](const Part& part) { return !part.refuses(seen.schema); });
}

}  // namespace

Error in_data(Error error, const TableReader& reader) {
    if (error.file.empty() && reader.files().size() == 1) error.file = reader.files().front();
    return error;
}

Error at_line(Error error, const TableUnit& unit) {
    if (error.row && *error.row > unit.first_row) {
        const std::uint64_t row = *error.row - unit.first_row - 1;
        const auto skipped = std::ranges::upper_bound(unit.skipped_before, row) - unit.skipped_before.begin();
        error.row = unit.first_line + row + static_cast<std::uint64_t>(skipped);
    }
    return error;
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
                const TableUnit& unit = TableStream::unit_of(*lane);
                error.file = opened.reader->files()[unit.file];
                error.row = unit.first_row + row + 1;
                return at_line(std::move(error), unit);
            }
    }
}

}  // namespace suffice
