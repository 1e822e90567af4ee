// A table that arrives in units: what every file format is turned into before its words get codes.
//
// Units are drawn one after the other (cheap, serial: read some bytes and find their rows) and decoded by
// whichever thread has time. A unit depends on the bytes alone, never on threads.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/base/result.hpp"
#include "suffice/data/schema.hpp"
#include "suffice/read/number_style.hpp"

namespace suffice {

// Rows that are set apart, to be judged by and not learned from (encode/chosen_rows.hpp).
struct RowsApart {
    double share = 0;         // of the rows, drawn by lot
    std::uint64_t seed = 0;   // of that lot
    std::string column = {};  // or those with this value in it, or a later one
    std::string value = {};
    bool later = false;
    bool only = false;  // those are read, else the others

    bool any() const { return share > 0 || later || !column.empty(); }
};

struct ReadOptions {
    char delimiter = 0;                // 0: found by a first look; ' ': any run of blanks
    std::optional<bool> header = {};   // empty: found by a first look; false: columns are c1, c2, ...
    std::optional<bool> quoting = {};  // empty: RFC 4180 unless a first look says that quotes are ordinary bytes
    std::vector<std::string> missing = {"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "?"};
    bool latin1 = false;              // else UTF-8, checked
    char comment = 0;                 // lines that start with it are skipped
    char decimal = 0;                 // 0: found by a first look; ',' where 1,234 is less than two
    bool decimal_remembered = false;  // by a model, of other files
    bool skip_ragged = false;         // else a row of another length is an error
    bool missing_columns = false;  // a column that one of several files lacks is missing there; else that is an error
    bool other_columns = false;    // columns that only some files have do no harm unless they are wanted
    RowsApart apart = {};
    std::string query = {};  // of a database file; empty: its one table
    // Of columns of dates: is 03/04 the third of April? Those that are not here are found by a first look.
    std::map<std::string, bool> day_first = {};
    // The file of libsuffice_arrow.so, which reads Parquet and Arrow, for a program that carries it along; empty: where
    // the program's run path and the system have it.
    std::string arrow_library = {};
};

// What a first look at the file (1 MiB) says of one column.
struct FoundColumn {
    std::string name;
    ColumnKind kind = ColumnKind::number;
    bool all_missing = false;      // no value seen yet; its first value decides
    bool spelled_flag = false;     // words that can be read as a flag: true and false, yes and no
    bool looks_like_date = false;  // every value is a date such as 2024-05-01 or 31/12/1999; kind is category
    NumberStyle style = {};        // of numbers that are not written like 1234.5
    double mean_words = 0;         // of text: blank-separated words per value
    std::uint64_t distinct = 0;    // of text, in the first look
    std::uint64_t seen = 0;        // values in the first look
    std::uint64_t numbers = 0;     // of words: values that are numbers all the same
    std::string example = {};      // a value, for messages; of words one that is no number
    std::string no_number = {};    // of numbers: a word among them that says that there is none
    std::string lacked_by = {};    // a file without this column, where files may differ
};

// One column of one unit. Numbers, or cells of text; views point into the unit's own memory, which is readable for
// 64 bytes past each of them.
struct Cells {
    ColumnKind kind = ColumnKind::number;  // number or flag: `numbers`; else `words` or `codes`
    std::vector<double> numbers;           // NaN: missing
    std::vector<std::string_view> words;   // null data(): missing
    std::vector<std::int32_t> codes;       // a dictionary column instead: position in `dictionary`; -1: missing
    std::vector<std::string_view> dictionary;
    std::vector<std::string> spelled;  // where a format has numbers and words are wanted; `words` point in here
};

// What a format keeps of a unit: its bytes, where its fields are, Arrow's buffers.
struct UnitMemory {
    virtual ~UnitMemory() = default;
};

// Rows as drawn (undecoded) and as decoded. Reused from unit to unit; one per thread or lane.
struct TableUnit {
    std::uint64_t index = 0;       // of the unit, from zero
    std::uint64_t first_row = 0;   // data row of the source, from zero (all files counted through, skipped ones too)
    std::uint64_t first_line = 0;  // line in its file, from one; for messages
    std::uint32_t file = 0;        // which of the files
    std::size_t row_count = 0;     // known once drawn
    std::vector<Cells> columns;    // after decoding; only wanted ones are filled
    std::vector<std::uint32_t> skipped_before;  // ragged rows skipped: position among the kept rows where each stood
    std::vector<std::uint32_t> chosen;          // where only some rows are read: which of those drawn; else empty
    std::unique_ptr<UnitMemory> memory;         // the views point in here
};

class TableReader {
public:
    virtual ~TableReader() = default;
    virtual const std::vector<FoundColumn>& columns() const = 0;  // in the first file's order, then further ones
    virtual const std::vector<std::string>& files() const = 0;
    // How the user wants a column read; category or text gives words as written. Call before the first draw. A column
    // all missing in the first look and wanted as number is NaN until its first value, which decides its kind from the
    // unit that holds it on: go by Cells::kind.
    virtual void want(std::uint32_t column, bool wanted, ColumnKind kind) = 0;
    virtual Result<bool> draw(TableUnit& unit) = 0;          // serial, in order; false: no more
    virtual Result<void> decode(TableUnit& unit) const = 0;  // any thread, once per drawn unit
    // Where an editor shows a row of a decoded unit: its line, from one; of formats without lines its number.
    virtual std::uint64_t line_of(const TableUnit& unit, std::size_t row) const { return unit.first_line + row; }
    virtual Result<void> rewind() = 0;                          // stdin: from its spool
    virtual void stop_keeping() {}                              // no rewind is to come: a pipe need not be spooled on
    virtual Progress progress() const = 0;                      // any thread
    virtual std::uint64_t skipped_rows() const = 0;             // ragged ones so far
    virtual std::size_t block_rows() const { return 0; }        // of every unit but the last; 0: it depends on bytes
    virtual std::uint64_t replaced_bytes() const { return 0; }  // those in words that are no UTF-8, so far
    virtual bool is_latin1() const { return false; }            // asked for, or found in a header that is no UTF-8
};

// Opens files of one format each, in the order given (directories and globs expanded in byte order of names); "-" is
// stdin. All files must have the same columns by name unless the options say otherwise. `keep_for_rewind`: spool stdin
// to an unlinked temporary file.
Result<std::unique_ptr<TableReader>> open_table(const std::vector<std::string>& paths, const ReadOptions& options,
                                                bool keep_for_rewind = false);

}  // namespace suffice
