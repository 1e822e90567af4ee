// Where the rows and fields of delimited text are.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/kernel/byte_scan.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

// How a file is written.
struct CsvDialect {
    char delimiter = ',';    // ' ': any run of blanks and tabs
    char terminator = '\n';  // '\r' in files of old; a '\r' before '\n' is dropped
    char quote = '"';        // 0: quotes are ordinary bytes
    char comment = 0;
    char decimal = 0;  // 0: as the values say
    bool header = true;
    bool padded = false;       // fields start with blanks, as in "39, Private"
    bool points_part = false;  // thousands: 1.234 is more than a thousand

    bool is_blank(char byte) const { return byte == ' ' || (byte == '\t' && delimiter != '\t') || byte == '\r'; }
};

// Text with room around it, and where its fields end.
struct CsvText final : UnitMemory {
    std::vector<char> bytes;
    std::size_t size = 0;             // of the text, after `kernel::text_padding` bytes
    std::vector<std::uint32_t> room;  // for positions, larger than needed so that it is not cleared again and again
    std::span<std::uint32_t> ends;  // positions of delimiters and terminators; once regular, as many per row as columns
    std::vector<std::uint32_t> starts;  // of rows, once regular
    std::size_t terminators = 0;        // outside quotes
    std::size_t lines = 0;              // of the whole rows, those inside quotes too
    bool any_quote = false, doubled = false, non_ascii = false;
    bool quotes_look_wrong =
        false;  // a quoted field went over a line's end and then did not end where its quote closed
    std::shared_ptr<const std::vector<ColumnKind>> kinds;     // in the reader's order, as decided so far
    std::shared_ptr<const std::vector<std::uint32_t>> order;  // place in the file of each column
    std::size_t width = 0;                                    // fields of a row

    char* text() { return bytes.data() + kernel::text_padding; }
    const char* text() const { return bytes.data() + kernel::text_padding; }
    void reserve(std::size_t wanted);  // room for so many bytes of text and one terminator
    void assign(std::string_view copied);
    void end_with(char terminator);  // unless it does
};

// Finds the ends of all fields of text() and returns how many bytes are whole rows; `ends` then covers only those.
std::size_t find_fields(CsvText& text, const CsvDialect& dialect);

// A row of another length than the first.
struct RaggedRow {
    std::size_t start = 0, fields = 0;  // where in the text
};

// Keeps rows of `column_count` fields: drops blank lines and comments, returns the ragged ones and notes in
// `skipped_before` how many rows were kept before each. `rows_end`: what find_fields returned.
std::vector<RaggedRow> keep_regular_rows(CsvText& text, const CsvDialect& dialect, std::size_t column_count,
                                         std::vector<std::uint32_t>& skipped_before);

}  // namespace suffice
