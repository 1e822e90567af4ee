// Cells of delimited text to numbers and words, column by column.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "suffice/read/csv_rows.hpp"
#include "suffice/read/missing.hpp"

namespace suffice {

// One column to be read.
struct CellPlan {
    std::uint32_t column = 0;  // where it goes
    std::uint32_t place = 0;   // which field of a row
    ColumnKind kind = ColumnKind::number;
    bool spelled_flag = false;  // true and false count as one and zero
};

// A cell that is not what its column should be.
struct BadCell {
    std::uint32_t column = 0;
    std::size_t row = 0, at = 0;  // in the unit; in the text
    std::string_view word;
};

// text[begin, end) without blanks around it and without its quotes, where doubled quotes are still doubled.
std::string_view trim_cell(const CsvText& text, const CsvDialect& dialect, std::uint32_t begin, std::uint32_t end);

// The value of text[begin, end): blanks around it gone, quotes taken off, doubled quotes made single (in place, so
// once).
std::string_view clean_cell(CsvText& text, const CsvDialect& dialect, std::uint32_t begin, std::uint32_t end);

// true and false, yes and no, on and off, t and f, y and n, and what some other languages say, in capitals or not.
std::optional<bool> parse_flag_word(std::string_view word);
// Do all words stand for yes or no, and are they spelled true and false, or in more than two ways? Two other words are
// a category as well as a flag, and keep their names; the letters t, f, y and n together are codes of something else.
bool are_flag_words(std::span<const std::string_view> words);

// Where the field at `place` of a row begins and ends.
std::uint32_t field_begin(const CsvText& text, std::size_t column_count, std::size_t row, std::size_t place);
std::uint32_t field_end(const CsvText& text, std::size_t column_count, std::size_t row, std::size_t place);

// Fills cells[plan.column] for every plan; stops at the first cell that cannot be read.
std::optional<BadCell> decode_cells(CsvText& text, const CsvDialect& dialect, const MissingMarks& marks,
                                    std::size_t column_count, const std::vector<CellPlan>& plans,
                                    std::vector<Cells>& cells);

}  // namespace suffice
