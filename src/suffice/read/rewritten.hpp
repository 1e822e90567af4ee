// Rows of other formats rewritten as CSV on the way in, so that one reader finds kinds, missing values and bad cells in
// all of them: a header, commas, RFC 4180 quotes, UTF-8; a value that is not there is an empty cell.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/read/bytes.hpp"

namespace suffice {

enum class RowFormat : std::uint8_t { delimited, json, arff, workbook, database };

// By the first bytes of a file.
RowFormat row_format(std::string_view first_bytes);
inline constexpr std::size_t format_look_bytes = std::size_t{1} << 16;

// Rows one after the other; the first ones are the header.
class RowMaker {
public:
    virtual ~RowMaker() = default;
    // Appends lines of CSV; false: there are no more.
    virtual Result<bool> next(std::string& csv) = 0;
    virtual std::uint64_t consumed() const = 0;  // bytes of the file
};

struct RewrittenRows {
    std::unique_ptr<ByteSource> csv;
    std::int64_t line_shift = 0;  // from a line of the CSV to the one that an editor shows
};

std::unique_ptr<ByteSource> csv_of(std::unique_ptr<RowMaker> rows);
// A cell and what goes before it; `first`: nothing does.
void append_csv_cell(std::string& csv, std::string_view cell, bool first);

// Objects, one after the other or in one array: {"age": 3, "where": {"town": "Bonn"}} has the columns age and
// where.town.
Result<RewrittenRows> rewrite_json(std::unique_ptr<ByteSource> bytes, std::string name);
// Weka's attribute-relation files, sparse rows too.
Result<RewrittenRows> rewrite_arff(std::unique_ptr<ByteSource> bytes, std::string name);
// The first sheet of an Excel workbook.
Result<RewrittenRows> rewrite_workbook(const std::string& path);
// A table of an SQLite or DuckDB file, or what a query gives.
Result<RewrittenRows> rewrite_database(const std::string& path, const std::string& query, bool duckdb);
bool is_duckdb(std::string_view first_bytes);
bool is_database(const std::string& path);  // whether a file of this name is one

}  // namespace suffice
