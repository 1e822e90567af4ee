// Opens a table: expands names, looks at the first bytes and hands over to the reader of that format.
#include <string_view>

#include "suffice/read/bytes.hpp"
#include "suffice/read/csv_reader.hpp"
#include "suffice/read/paths.hpp"
#include "suffice/read/table.hpp"

namespace suffice {
namespace {

enum class Format { text, parquet, arrow };

Format format_of(std::string_view first_bytes) {
    if (first_bytes.starts_with("PAR1")) return Format::parquet;
    if (first_bytes.starts_with("ARROW1") || first_bytes.starts_with("FEA1")) return Format::arrow;
    return Format::text;
}

}  // namespace

Result<std::unique_ptr<TableReader>> open_table(const std::vector<std::string>& paths, const ReadOptions& options,
                                                bool keep_for_rewind) {
    auto files = expand_paths(paths);
    if (!files) return files.error();
    for (const std::string& name : *files) {
        if (!regular_size(name)) continue;  // only text comes in by a pipe
        auto raw = RawFile::open(name, false);
        if (!raw) return raw.error();
        auto start = (*raw)->peek(8);
        if (!start) return start.error();
        if (const Format format = format_of(*start); format != Format::text)
            return Error(std::string("the file is ") + (format == Format::parquet ? "Parquet" : "Arrow") +
                         ", which this build cannot read; build with -DSUFFICE_ARROW=ON, or save it as CSV")
                .in_file(name);
    }
    return open_csv(std::move(*files), options, keep_for_rewind);
}

}  // namespace suffice
