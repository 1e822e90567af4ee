// Parquet and Arrow files. These formats are read from their end or from several places at once, so what comes packed
// or by a pipe is unpacked into temporary files first.
#pragma once
#include "suffice/read/csv_bytes.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

bool starts_as_arrow(std::string_view first_bytes);
Result<bool> is_plain_arrow(const std::string& file);  // neither packed nor a pipe: it can be read where it lies

// `first` is the first of the files, just looked at; a pipe cannot be opened a second time.
Result<std::unique_ptr<TableReader>> open_arrow_files(const std::vector<std::string>& files, CsvBytes& first,
                                                      const ReadOptions& options);

}  // namespace suffice
