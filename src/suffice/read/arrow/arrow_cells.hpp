// Arrow arrays turned into cells: numbers with NaN for null, words, or a dictionary kept as one.
#pragma once
#include "suffice/read/table.hpp"

namespace arrow {
class Array;
}

namespace suffice {

// What a first look at some rows says of one column.
FoundColumn look_at_arrow(const std::string& name, const arrow::Array& values);

// `kind` as wanted: number, flag, category or text. An Error says which type cannot be read so.
Result<void> fill_cells(const std::string& name, const arrow::Array& values, ColumnKind kind, Cells& into);

}  // namespace suffice
