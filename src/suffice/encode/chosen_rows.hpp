// Tables of which some rows are set apart: read are the others, or only those, as if there were no more.
#pragma once
#include "suffice/encode/data.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

// "0.2", "COLUMN=VALUE"; of later rows "COLUMN=VALUE" or a date, which is of the one column of dates.
Result<RowsApart> rows_apart(const std::string& text, bool later);

// As open_table(), or of a table in memory: the rows that the options choose. A column that chooses by its value must
// be there.
Result<std::unique_ptr<TableReader>> open_rows(const Data& data, const ReadOptions& options,
                                               bool keep_for_rewind = false);

}  // namespace suffice
