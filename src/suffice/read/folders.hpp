// A directory with one folder per class, each file in them a document: a table of two columns, text and class.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "suffice/read/table.hpp"

namespace suffice {

// The column that holds the names of the folders.
inline constexpr std::string_view class_folders_target = "class";

// Is each of these a directory of at least two folders with files in them, and of no tables beside them?
bool are_class_folders(const std::vector<std::string>& names);

// Folders and files in byte order of their names; hidden ones are passed over. A document is any bytes: what is not
// UTF-8 is left to the tokenizer.
Result<std::unique_ptr<TableReader>> open_folders(std::vector<std::string> names, const ReadOptions& options,
                                                  std::size_t unit_bytes = std::size_t{256} << 10);

}  // namespace suffice
