// Opens a table: expands names, recognises the format by the first file's first bytes, and hands over to its reader.
#include "suffice/read/csv_reader.hpp"
#include "suffice/read/folders.hpp"
#include "suffice/read/packed_arrow.hpp"
#include "suffice/read/paths.hpp"
#include "suffice/read/table.hpp"

namespace suffice {
namespace {

// Looked at unpacked; in Latin-1, which changes bytes as they are read, where the file lies.
Result<bool> holds_arrow(CsvBytes& first, const std::string& path, bool latin1) {
    if (latin1) return is_plain_arrow(path);
    if (auto looked = first.look(8); !looked) return looked.error();
    return starts_as_arrow(first.start());
}

}  // namespace

Result<std::unique_ptr<TableReader>> open_table(const std::vector<std::string>& paths, const ReadOptions& options,
                                                bool keep_for_rewind) {
    if (are_class_folders(paths)) return open_folders(paths, options);
    auto files = expand_paths(paths);
    if (!files) return files.error();
    const std::string& path = files->front();
    CsvBytes first(keep_for_rewind, options.latin1, options.query);
    if (auto opened = first.open(0, path, path == "-" ? "stdin" : path); !opened) return opened.error();
    const auto arrow = holds_arrow(first, path, options.latin1);
    if (!arrow) return arrow.error();
    if (*arrow) return open_arrow_files(*files, first, options);
    return open_csv(std::move(*files), std::move(first), options);
}

}  // namespace suffice
