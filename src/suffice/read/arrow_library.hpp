// Parquet and Arrow IPC files, read by a library that is opened on first use.
#pragma once
#include "suffice/read/table.hpp"

namespace suffice {

struct ArrowSource {
    std::string path;
    std::string name;   // for messages
    std::string given;  // as the user gave it, for the record
};

bool arrow_is_here();  // whether the library can be opened
Result<std::unique_ptr<TableReader>> open_arrow(const std::vector<ArrowSource>& files, const ReadOptions& options);

}  // namespace suffice
