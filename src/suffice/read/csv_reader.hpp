// Delimited text files as a table.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "suffice/read/csv_bytes.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

inline constexpr std::size_t csv_unit_bytes = std::size_t{1} << 18;  // of unpacked text
inline constexpr std::size_t csv_look_bytes = std::size_t{1} << 20;
inline constexpr std::size_t csv_row_limit = std::size_t{1} << 26;  // a longer row is an error

// `files`: as expand_paths gives them. `unit_bytes` is smaller in tests only.
Result<std::unique_ptr<TableReader>> open_csv(std::vector<std::string> files, const ReadOptions& options,
                                              bool keep_for_rewind, std::size_t unit_bytes = csv_unit_bytes);
// `first` has the first of the files open, and perhaps looked at.
Result<std::unique_ptr<TableReader>> open_csv(std::vector<std::string> files, CsvBytes first,
                                              const ReadOptions& options, std::size_t unit_bytes = csv_unit_bytes);

}  // namespace suffice
