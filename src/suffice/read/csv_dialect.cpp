// Finds delimiter, line ends and quoting by trying: the best choice is the one under which rows have equal length.
#include <algorithm>
#include <map>

#include "suffice/read/csv_look.hpp"

namespace suffice {
namespace {

constexpr std::size_t sample_bytes = std::size_t{1} << 16;

// Under some dialect: the commonest number of fields, and the share of rows that have it.
struct Evenness {
    std::size_t fields = 0, rows = 0;
    double share = 0;
    bool quotes_look_wrong = false;
};

Evenness evenness_of(std::string_view bytes, bool at_end, const CsvDialect& dialect) {
    CsvText text;
    text.assign(bytes);
    if (at_end) text.end_with(dialect.terminator);
    find_fields(text, dialect);
    std::map<std::size_t, std::size_t> rows_of;
    Evenness even;
    even.quotes_look_wrong = text.quotes_look_wrong;
    std::size_t fields = 0, start = 0;
    for (const std::uint32_t end : text.ends) {
        ++fields;
        if (text.text()[end] != dialect.terminator) continue;
        const std::string_view line(text.text() + start, end - start);
        const bool blank = std::ranges::all_of(line, [&](char byte) { return dialect.is_blank(byte); });
        if (!(blank && fields == 1) && !(dialect.comment != 0 && line.starts_with(dialect.comment))) {
            ++rows_of[fields];
            ++even.rows;
        }
        fields = 0;
        start = end + std::size_t{1};
    }
    std::size_t most = 0;
    for (const auto& [count, rows] : rows_of)
        if (rows >= most) most = rows, even.fields = count;
    even.share = even.rows == 0 ? 0 : static_cast<double>(most) / static_cast<double>(even.rows);
    return even;
}

char find_delimiter(std::string_view bytes, bool at_end, CsvDialect dialect) {
    char best = ',';
    Evenness best_even;
    for (const char candidate : {',', '\t', ';', '|', ' '}) {
        if (candidate == dialect.comment) continue;
        dialect.delimiter = candidate;
        const Evenness even = evenness_of(bytes, at_end, dialect);
        if (even.fields < 2 || even.share < (candidate == ' ' ? 1 : 0.7) || (candidate == ' ' && best_even.fields > 1))
            continue;
        const bool better =
            even.share > best_even.share || (even.share == best_even.share && even.fields > best_even.fields);
        if (better) best = candidate, best_even = even;
    }
    return best;
}

// Quotes are ordinary bytes where that makes more rows equal, as in tab-separated text that was never quoted.
bool quotes_are_ordinary(std::string_view bytes, bool at_end, CsvDialect dialect) {
    if (bytes.find(dialect.quote) == std::string_view::npos) return false;
    const Evenness quoted = evenness_of(bytes, at_end, dialect);
    dialect.quote = 0;
    const Evenness ordinary = evenness_of(bytes, at_end, dialect);
    if (ordinary.fields < quoted.fields) return false;
    return ordinary.share > quoted.share || (quoted.quotes_look_wrong && ordinary.share == quoted.share);
}

}  // namespace

CsvDialect find_dialect(std::string_view bytes, bool at_end, const ReadOptions& options) {
    CsvDialect dialect;
    dialect.comment = options.comment;
    dialect.decimal = options.decimal;
    const bool old_line_ends = bytes.find('\n') == std::string_view::npos && bytes.find('\r') != std::string_view::npos;
    if (old_line_ends) dialect.terminator = '\r';
    if (options.quoting == false) dialect.quote = 0;
    const std::string_view sample = bytes.substr(0, sample_bytes);
    const bool all = at_end && sample.size() == bytes.size();
    dialect.delimiter = options.delimiter != 0 ? options.delimiter : find_delimiter(sample, all, dialect);
    if (!options.quoting && quotes_are_ordinary(bytes, at_end, dialect)) {
        dialect.quote = 0;
        if (options.delimiter == 0) dialect.delimiter = find_delimiter(sample, all, dialect);
    }
    return dialect;
}

}  // namespace suffice
