// The columns of several delimited files taken together, where each may lack some that others have.
#pragma once
#include <string>
#include <vector>

#include "suffice/read/csv_rows.hpp"
#include "suffice/read/missing.hpp"

namespace suffice {

// Adds the columns that only later files have, each as the first file that has it shows it, and notes which file lacks
// a column. `columns` are those of the first file. Pipes are not looked at: they can be read once.
Result<void> add_columns_of_later_files(const std::vector<std::string>& files, const CsvDialect& dialect,
                                        const ReadOptions& options, const MissingMarks& marks,
                                        std::vector<FoundColumn>& columns);

}  // namespace suffice
