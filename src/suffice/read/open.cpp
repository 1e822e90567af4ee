// Opens a table: expands names, looks at the first bytes and hands over to the reader of that format.
#include "suffice/read/arrow_library.hpp"
#include "suffice/read/bytes.hpp"
#include "suffice/read/csv_reader.hpp"
#include "suffice/read/folders.hpp"
#include "suffice/read/packed_arrow.hpp"
#include "suffice/read/paths.hpp"
#include "suffice/read/table.hpp"

namespace suffice {
Result<std::unique_ptr<TableReader>> open_table(const std::vector<std::string>& paths, const ReadOptions& options,
                                                bool keep_for_rewind) {
    if (are_class_folders(paths)) return open_folders(paths, options);
    auto files = expand_paths(paths);
    if (!files) return files.error();
    bool arrow = false, all_plain = true;
    for (const std::string& name : *files) {
        if (!regular_size(name)) {  // a pipe's first bytes are for its reader
            all_plain = false;
            continue;
        }
        auto raw = RawFile::open(name, false);
        if (!raw) return raw.error();
        const auto start = (*raw)->peek(8);
        if (!start) return start.error();
        arrow = arrow || starts_as_arrow(*start);
        all_plain = all_plain && packing_of(*start) == Packing::none;
    }
    if (arrow && all_plain) {
        std::vector<ArrowSource> sources;
        for (const std::string& each : *files) sources.push_back({each, each, each});
        return open_arrow(sources, options);
    }
    return open_csv(std::move(*files), options, keep_for_rewind);
}

}  // namespace suffice
