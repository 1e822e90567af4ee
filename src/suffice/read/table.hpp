// A table that arrives in units: what every file format is turned into before its words get codes.
//
// Units are drawn one after the other (cheap, serial: cut some bytes at a row's end) and decoded by
// whichever thread has time. A unit depends on the bytes alone, never on threads.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/base/result.hpp"
#include "suffice/data/schema.hpp"

namespace suffice {

struct ReadOptions {
    char delimiter = 0;  // 0: found by a first look
    bool header = true;  // false: columns are c1, c2, ...
    std::vector<std::string> missing = {"", "NA", "N/A", "NaN", "nan", "null", "?"};
    bool latin1 = false;       // else UTF-8, checked
    char comment = 0;          // lines that start with it are skipped
    bool skip_ragged = false;  // else a row of another length is an error
};

// What a first look at the file (1 MiB) says of one column.
struct FoundColumn {
    std::string name;
    ColumnKind kind = ColumnKind::number;
    bool all_missing = false;    // no value seen yet; its first value decides
    double mean_words = 0;       // of text: blank-separated words per value
    std::uint64_t distinct = 0;  // of text, in the first look
    std::uint64_t seen = 0;      // values in the first look
    std::string example = {};    // a value, for messages
};

// One column of one unit. Numbers, or cells of text; views point into the unit's own memory.
struct Cells {
    ColumnKind kind = ColumnKind::number;  // number or flag: `numbers`; else `words` or `codes`
    std::vector<double> numbers;           // NaN: missing
    std::vector<std::string_view> words;   // null data(): missing
    std::vector<std::int32_t> codes;       // a dictionary column instead: position in `dictionary`; -1: missing
    std::vector<std::string_view> dictionary;
};

// Rows as drawn (undecoded) and as decoded. Reused from unit to unit; one per thread or lane.
struct TableUnit {
    std::uint64_t index = 0;                    // of the unit, from zero
    std::uint64_t first_row = 0;                // data row of the source, from zero (all files counted through)
    std::uint64_t first_line = 0;               // line in its file, from one; for messages
    std::uint32_t file = 0;                     // which of the files
    std::string bytes;                          // as read (formats that cut bytes)
    std::size_t row_count = 0;                  // after decoding
    std::vector<Cells> columns;                 // after decoding; only wanted ones are filled
    std::vector<std::uint32_t> skipped_before;  // ragged rows skipped: position among the kept rows where each stood
    std::string scratch;                        // unescaped cells live here
    std::shared_ptr<void> held;                 // whatever else the views need (Arrow buffers)
};

class TableReader {
public:
    virtual ~TableReader() = default;
    virtual const std::vector<FoundColumn>& columns() const = 0;  // in file order
    virtual const std::vector<std::string>& files() const = 0;
    // How the user wants a column read; text_kind for every column of words. Call before the first draw.
    virtual void want(std::uint32_t column, bool wanted, ColumnKind kind) = 0;
    virtual Result<bool> draw(TableUnit& unit) = 0;          // serial, in order; false: no more
    virtual Result<void> decode(TableUnit& unit) const = 0;  // any thread
    virtual Result<void> rewind() = 0;                       // stdin: from its spool
    virtual Progress progress() const = 0;
    virtual std::uint64_t skipped_rows() const = 0;
};

// Opens files of one format each, in the order given (directories and globs expanded in byte order of names); "-" is
// stdin. All files must have the same columns by name. `keep_for_rewind`: spool stdin to an unlinked temporary file.
Result<std::unique_ptr<TableReader>> open_table(const std::vector<std::string>& paths, const ReadOptions& options,
                                                bool keep_for_rewind = false);

}  // namespace suffice
