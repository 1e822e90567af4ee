// A first look at a delimited file: how it is written, what its columns are called and what they hold.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "suffice/read/csv_rows.hpp"
#include "suffice/read/missing.hpp"

namespace suffice {

struct CsvLook {
    CsvDialect dialect;
    std::vector<FoundColumn> columns;
    std::size_t body = 0;            // where the data rows start
    std::uint64_t lines_before = 0;  // of the body
};

// Where the data of a further file starts, and its header.
struct CsvStart {
    std::vector<std::string> names;  // empty without a header
    std::size_t body = 0;
    std::uint64_t lines_before = 0;
};

// `bytes`: the start of the file after its byte-order mark, whole rows or not; `at_end`: there are no more.
// `rewritten`: from another format, whose numbers have decimal points.
CsvLook look_at_csv(std::string_view bytes, bool at_end, const ReadOptions& options, const MissingMarks& marks,
                    bool rewritten = false);
CsvStart start_of_csv(std::string_view bytes, bool at_end, const CsvDialect& dialect);

// Whether two rows (blank lines and comments not counted) end within `bytes`.
bool holds_two_rows(std::string_view bytes, const CsvDialect& dialect);

CsvDialect find_dialect(std::string_view bytes, bool at_end, const ReadOptions& options);
// What the values of one column are, by its cells in the rows from `first_row` on.
FoundColumn look_at_column(const CsvText& text, const CsvDialect& dialect, const MissingMarks& marks,
                           std::size_t column_count, std::size_t place, std::size_t first_row);
// Whether the column holds numbers, some of them with a fraction behind a point.
bool has_fractions(const CsvText& text, const CsvDialect& dialect, const MissingMarks& marks, std::size_t column_count,
                   std::size_t place, std::size_t first_row);

}  // namespace suffice
