// Opens a table: expands names, looks at the first bytes and hands over to the reader of that format.
#include <string_view>

#include "suffice/read/arrow_library.hpp"
#include "suffice/read/bytes.hpp"
#include "suffice/read/csv_reader.hpp"
#include "suffice/read/folders.hpp"
#include "suffice/read/paths.hpp"
#include "suffice/read/table.hpp"

namespace suffice {
namespace {

bool is_arrow(std::string_view first_bytes) {
    return first_bytes.starts_with("PAR1") || first_bytes.starts_with("ARROW1") || first_bytes.starts_with("FEA1");
}

}  // namespace

Result<std::unique_ptr<TableReader>> open_table(const std::vector<std::string>& paths, const ReadOptions& options,
                                                bool keep_for_rewind) {
    if (are_class_folders(paths)) return open_folders(paths, options);
    auto files = expand_paths(paths);
    if (!files) return files.error();
    for (const std::string& name : *files) {
        if (!regular_size(name)) continue;  // only text comes in by a pipe
        auto raw = RawFile::open(name, false);
        if (!raw) return raw.error();
        auto start = (*raw)->peek(8);
        if (!start) return start.error();
        if (is_arrow(*start)) return open_arrow(*files, options);
    }
    return open_csv(std::move(*files), options, keep_for_rewind);
}

}  // namespace suffice
