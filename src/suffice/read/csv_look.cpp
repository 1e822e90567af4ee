// Names and kinds of columns from the first rows of a file.
#include "suffice/read/csv_look.hpp"

#include <algorithm>

#include "suffice/kernel/decimal.hpp"
#include "suffice/read/csv_cells.hpp"

namespace suffice {
namespace {

std::vector<std::string> fields_of_row(const CsvText& text, const CsvDialect& dialect, std::size_t start,
                                       std::size_t first_end, std::size_t last_end) {
    std::vector<std::string> fields;
    auto begin = static_cast<std::uint32_t>(start);
    for (std::size_t k = first_end; k <= last_end; ++k) {
        std::string field(trim_cell(text, dialect, begin, text.ends[k]));
        if (dialect.quote != 0)
            for (std::size_t at = 0; (at = field.find(std::string(2, dialect.quote), at)) != std::string::npos; ++at)
                field.erase(at, 1);
        fields.push_back(std::move(field));
        begin = text.ends[k] + 1;
    }
    return fields;
}

// The first row that is neither blank nor a comment.
struct FirstRow {
    std::vector<std::string> fields;  // empty: there is none
    std::size_t start = 0, end = 0;   // end: of its line
};

FirstRow find_first_row(const CsvText& text, const CsvDialect& dialect) {
    std::size_t start = 0, first = 0;
    for (std::size_t k = 0; k < text.ends.size(); ++k) {
        const std::size_t end = text.ends[k];
        if (text.text()[end] != dialect.terminator) continue;
        const std::string_view line(text.text() + start, end - start);
        const bool blank = k == first && std::ranges::all_of(line, [&](char byte) { return dialect.is_blank(byte); });
        if (!blank && !(dialect.comment != 0 && line.starts_with(dialect.comment)))
            return {fields_of_row(text, dialect, start, first, k), start, end + 1};
        start = end + 1;
        first = k + 1;
    }
    return {};
}

CsvText index_text(std::string_view bytes, bool at_end, const CsvDialect& dialect) {
    CsvText text;
    text.assign(bytes);
    if (at_end) text.end_with(dialect.terminator);
    find_fields(text, dialect);
    return text;
}

constexpr std::size_t start_bytes = std::size_t{1} << 14;  // hold the first rows of most files

bool is_number(std::string_view word) {
    double ignored = 0;
    return kernel::parse_decimal(word.data(), word.data() + word.size(), ignored);
}

// 0, 1, 2 or 2019, 2020, 2021: numbers that look like names of columns.
bool count_up(const std::vector<std::string>& fields) {
    std::size_t numbers = 0;
    double last = 0;
    for (const std::string& field : fields) {
        double value = 0;
        if (!kernel::parse_decimal(field.data(), field.data() + field.size(), value)) continue;
        if (numbers > 0 && value != last + 1) return false;
        last = value;
        ++numbers;
    }
    return numbers >= 3;
}

bool occurs_below(const CsvText& text, const CsvDialect& dialect, std::size_t column_count, std::size_t place,
                  std::string_view word) {
    const std::size_t rows = std::min<std::size_t>(text.starts.size(), 1000);
    for (std::size_t row = 1; row < rows; ++row)
        if (trim_cell(text, dialect, field_begin(text, column_count, row, place),
                      field_end(text, column_count, row, place)) == word)
            return true;
    return false;
}

// A word above a column of numbers can only be a name; a number above numbers, or a word that comes again below, is a
// value. "f" above TRUE and FALSE says nothing.
bool has_header(const std::vector<std::string>& fields, const CsvText& text, const CsvDialect& dialect,
                const MissingMarks& marks, const std::vector<FoundColumn>& below) {
    bool value_seen = false;
    const bool alone = text.starts.size() < 2;
    for (std::size_t place = 0; place < fields.size(); ++place) {
        if (marks.contains(fields[place])) continue;
        const bool numbers = below[place].kind == ColumnKind::number || below[place].kind == ColumnKind::flag;
        const bool flag = below[place].spelled_flag && parse_flag_word(fields[place]);
        const bool number = is_number(fields[place]) || flag ||
                            (below[place].style.any() && styled_number(fields[place], below[place].style));
        if (numbers && !below[place].all_missing && !number) return true;
        if (alone && !number) return true;
        value_seen |= numbers && number && !flag;
        if (!numbers || flag) value_seen |= occurs_below(text, dialect, fields.size(), place, fields[place]);
    }
    return !value_seen || count_up(fields);
}

std::string number_name(std::size_t place) {
    std::string name = "c";
    return name.append(std::to_string(place + 1));
}

void name_columns(std::vector<FoundColumn>& columns, const CsvDialect& dialect,
                  const std::vector<std::string>& fields) {
    for (std::size_t place = 0; place < columns.size(); ++place)
        columns[place].name = dialect.header && !fields[place].empty() ? fields[place] : number_name(place);
}

bool any_padded(const CsvText& text, std::size_t column_count) {
    const std::size_t rows = std::min<std::size_t>(text.starts.size(), 100);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t place = 0; place < column_count; ++place)
            if (text.text()[field_begin(text, column_count, row, place)] == ' ') return true;
    return false;
}

// Some column can only have decimal commas, and none has decimal points.
bool has_decimal_commas(const CsvLook& look, const CsvText& text, const MissingMarks& marks) {
    const auto commas = [](const FoundColumn& column) { return column.style.decimal == ','; };
    if (std::ranges::none_of(look.columns, commas)) return false;
    for (std::size_t place = 0; place < look.columns.size(); ++place)
        if (has_fractions(text, look.dialect, marks, look.columns.size(), place, look.dialect.header ? 1 : 0))
            return false;
    return true;
}

std::uint64_t count_lines(const CsvText& text, const CsvDialect& dialect, std::size_t up_to) {
    return static_cast<std::uint64_t>(std::count(text.text(), text.text() + up_to, dialect.terminator));
}

}  // namespace

CsvLook look_at_csv(std::string_view bytes, bool at_end, const ReadOptions& options, const MissingMarks& marks,
                    bool rewritten) {
    CsvLook look;
    look.dialect = find_dialect(bytes, at_end, options);
    look.dialect.points_part = options.decimal == ',' && !options.decimal_remembered && !rewritten;
    CsvText text = index_text(bytes, at_end, look.dialect);
    const FirstRow first = find_first_row(text, look.dialect);
    const std::size_t column_count = first.fields.size();
    std::vector<std::uint32_t> ignored;
    if (column_count > 0) keep_regular_rows(text, look.dialect, column_count, ignored);
    look.dialect.padded = any_padded(text, column_count);
    const auto look_from = [&](std::size_t first_row) {
        look.columns.clear();
        for (std::size_t place = 0; place < column_count; ++place)
            look.columns.push_back(look_at_column(text, look.dialect, marks, column_count, place, first_row));
    };
    look_from(options.header == false ? 0 : 1);
    look.dialect.header =
        options.header ? *options.header : has_header(first.fields, text, look.dialect, marks, look.columns);
    if (!options.header && !look.dialect.header) look_from(0);
    // 6,601 and 1.234 alone say little; beside 3,5 they are a fraction and a thousand.
    if (!look.dialect.points_part && !rewritten && has_decimal_commas(look, text, marks)) {
        look.dialect.decimal = ',';
        look.dialect.points_part = true;
        look_from(look.dialect.header ? 1 : 0);
    }
    name_columns(look.columns, look.dialect, first.fields);
    look.body = look.dialect.header ? first.end : first.start;
    look.lines_before = count_lines(text, look.dialect, look.body);
    return look;
}

CsvStart start_of_csv(std::string_view bytes, bool at_end, const CsvDialect& dialect) {
    CsvText text = index_text(bytes.substr(0, start_bytes), at_end && bytes.size() <= start_bytes, dialect);
    FirstRow first = find_first_row(text, dialect);
    if (first.fields.empty() && bytes.size() > start_bytes) {
        text = index_text(bytes, at_end, dialect);
        first = find_first_row(text, dialect);
    }
    CsvStart start;
    start.body = dialect.header ? first.end : first.start;
    start.lines_before = count_lines(text, dialect, start.body);
    if (!dialect.header) return start;
    for (std::size_t place = 0; place < first.fields.size(); ++place)
        start.names.push_back(first.fields[place].empty() ? number_name(place) : first.fields[place]);
    return start;
}

bool holds_two_rows(std::string_view bytes, const CsvDialect& dialect) {
    const auto two_in = [&](std::string_view some) {
        const CsvText text = index_text(some, false, dialect);
        std::size_t rows = 0, start = 0;
        for (const std::uint32_t end : text.ends) {
            if (text.text()[end] != dialect.terminator) continue;
            const std::string_view line(text.text() + start, end - start);
            const bool blank = std::ranges::all_of(line, [&](char byte) { return dialect.is_blank(byte); });
            rows += !blank && !(dialect.comment != 0 && line.starts_with(dialect.comment));
            if (rows == 2) return true;
            start = end + std::size_t{1};
        }
        return false;
    };
    return two_in(bytes.substr(0, start_bytes)) || (bytes.size() > start_bytes && two_in(bytes));
}

}  // namespace suffice
