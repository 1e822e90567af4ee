// Parquet and Arrow files that come packed or by a pipe: these formats are read from their end or from
// several places at once, so they are unpacked into temporary files first.
#pragma once
#include "suffice/read/csv_bytes.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

bool starts_as_arrow(std::string_view first_bytes);

// `first` is the first of the files, just looked at; a pipe cannot be opened a second time.
Result<std::unique_ptr<TableReader>> open_packed_arrow(const std::vector<std::string>& files, CsvBytes& first,
                                                       const ReadOptions& options);

}  // namespace suffice
