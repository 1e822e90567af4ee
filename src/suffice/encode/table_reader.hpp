// A table in memory, read as files are: the same first look decides what its columns are.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suffice/encode/table.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

// The columns of the table, and behind them those of `beside`, such as classes. The table must outlive the reader;
// words mean themselves, so that the marks of files for missing values are not looked for.
Result<std::unique_ptr<TableReader>> read_table(const Table& table, std::optional<Table> beside = {});

// What values in memory say of a column: numbers, or codes of its levels. NaN: missing.
FoundColumn look_at_values(const Column& column, std::span<const double> values);
// How many rows of memory make a unit.
std::size_t unit_rows_in_memory(std::size_t column_count);

}  // namespace suffice
