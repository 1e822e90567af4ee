// Indexes delimited text: by vectors where quotes are well formed, byte by byte where they are not.
#include "suffice/read/csv_rows.hpp"

#include <algorithm>
#include <cstring>

namespace suffice {
namespace {

// The forgiving meaning of quotes: a field is quoted if its first byte after blanks is a quote; a quote elsewhere is an
// ordinary byte, and so is all that follows a closing quote up to the delimiter.
class LenientScan {
public:
    LenientScan(CsvText& text, const CsvDialect& dialect)
        : text_(text), dialect_(dialect), bytes_(text.text()), size_(text.size) {}

    void run() {
        std::size_t at = 0;
        while (at < size_) {
            if (dialect_.comment != 0 && bytes_[at] == dialect_.comment) {
                at = find_end_of_line(at);
            } else {
                for (at = field_end(at); at < size_ && bytes_[at] != dialect_.terminator; at = field_end(at))
                    text_.room.push_back(static_cast<std::uint32_t>(at++));
            }
            if (at >= size_) return;
            text_.room.push_back(static_cast<std::uint32_t>(at++));
            ++text_.terminators;
        }
    }

private:
    bool separates(char byte) const {
        return byte == dialect_.delimiter || (dialect_.delimiter == ' ' && byte == '\t');
    }
    std::size_t find_end_of_line(std::size_t at) const {
        const void* found = std::memchr(bytes_ + at, dialect_.terminator, size_ - at);
        return found == nullptr ? size_ : static_cast<std::size_t>(static_cast<const char*>(found) - bytes_);
    }
    std::size_t skip_blanks(std::size_t at) const {
        while (at < size_ && bytes_[at] != dialect_.terminator && dialect_.is_blank(bytes_[at])) ++at;
        return at;
    }
    // Position behind the closing quote; the end of the text where there is none.
    std::size_t close_quote(std::size_t at) {
        while (at < size_) {
            const void* found = std::memchr(bytes_ + at, dialect_.quote, size_ - at);
            if (found == nullptr) return size_;
            at = static_cast<std::size_t>(static_cast<const char*>(found) - bytes_) + 1;
            if (at >= size_ || bytes_[at] != dialect_.quote) return at;
            text_.doubled = true;
            ++at;
        }
        return at;
    }
    // Position of the delimiter or terminator that ends the field; of a run of blanks, the last one.
    std::size_t field_end(std::size_t at) {
        at = skip_blanks(at);
        if (dialect_.quote != 0 && at < size_ && bytes_[at] == dialect_.quote) {
            const char* const open = bytes_ + at + 1;
            at = skip_blanks(close_quote(at + 1));
            const bool closed = at >= size_ || bytes_[at] == dialect_.terminator || separates(bytes_[at]);
            const char* const close = bytes_ + std::min(at, size_);
            text_.quotes_look_wrong |= !closed && std::find(open, close, dialect_.terminator) != close;
        }
        while (at < size_ && bytes_[at] != dialect_.terminator && !separates(bytes_[at])) ++at;
        if (dialect_.delimiter != ' ') return at;
        const std::size_t next = skip_blanks(at);
        return next >= size_ || bytes_[next] == dialect_.terminator ? next : std::max(next, at + 1) - 1;
    }

    CsvText& text_;
    const CsvDialect& dialect_;
    const char* bytes_;
    std::size_t size_;
};

constexpr std::size_t piece = std::size_t{1} << 16;  // positions are made room for as the text turns out to need them

bool scan_quickly(CsvText& text, const CsvDialect& dialect) {
    kernel::FieldScan scan;
    scan.delimiter = dialect.delimiter;
    scan.terminator = dialect.terminator;
    scan.quote = dialect.quote;
    std::size_t found = 0;
    for (std::size_t from = 0; from < text.size; from += piece) {
        const std::size_t to = std::min(from + piece, text.size);
        if (text.room.size() < found + (to - from) + 64)
            text.room.resize(std::max(found * 3 / 2, found + (to - from) + 64));
        std::uint32_t* const begin = text.room.data() + found;
        found += static_cast<std::size_t>(kernel::scan_fields(scan, text.text(), from, to, begin) - begin);
    }
    text.ends = {text.room.data(), found};
    text.terminators = scan.terminators;
    text.lines = scan.terminators + scan.hidden_terminators;
    text.any_quote = scan.any_quote;
    text.doubled = scan.doubled;
    text.non_ascii = scan.non_ascii;
    return !scan.malformed && !(dialect.comment != 0 && scan.any_quote) && dialect.delimiter != ' ';
}

std::size_t count_terminators(const CsvText& text, const CsvDialect& dialect, std::size_t from, std::size_t to) {
    return static_cast<std::size_t>(std::count(text.text() + from, text.text() + to, dialect.terminator));
}

bool is_blank_line(const CsvText& text, const CsvDialect& dialect, std::size_t start, std::size_t end) {
    return std::all_of(text.text() + start, text.text() + end, [&](char byte) { return dialect.is_blank(byte); });
}

// Whether every row has `column_count` fields and none is a comment; fills `starts`.
bool note_starts(CsvText& text, const CsvDialect& dialect, std::size_t column_count) {
    const std::size_t rows = text.terminators;
    if (column_count == 1 || dialect.comment != 0 || text.ends.size() != rows * column_count) return false;
    text.starts.resize(rows);
    const std::uint32_t* end = text.ends.data() + column_count - 1;
    std::uint32_t start = 0;
    bool regular = true;
    for (std::size_t row = 0; row < rows; ++row, end += column_count) {
        text.starts[row] = start;
        regular &= text.text()[*end] == dialect.terminator;
        start = *end + 1;
    }
    return regular;
}

}  // namespace

void CsvText::reserve(std::size_t wanted) {
    const std::size_t needed = wanted + 1 + 2 * kernel::text_padding;
    if (bytes.size() < needed) bytes.resize(needed);
}

void CsvText::assign(std::string_view copied) {
    reserve(copied.size());
    std::copy(copied.begin(), copied.end(), text());
    size = copied.size();
}

void CsvText::end_with(char terminator) {
    if (size > 0 && text()[size - 1] != terminator) text()[size++] = terminator;
}

std::size_t find_fields(CsvText& text, const CsvDialect& dialect) {
    if (!scan_quickly(text, dialect)) {
        text.room.clear();
        text.terminators = 0;
        LenientScan(text, dialect).run();
        text.ends = text.room;
        text.lines = count_terminators(text, dialect, 0, text.size);
    }
    std::size_t found = text.ends.size();
    while (found > 0 && text.text()[text.ends[found - 1]] != dialect.terminator) --found;
    text.ends = text.ends.first(found);
    const std::size_t whole = found == 0 ? 0 : text.ends.back() + std::size_t{1};
    text.lines -= count_terminators(text, dialect, whole, text.size);
    return whole;
}

std::vector<RaggedRow> keep_regular_rows(CsvText& text, const CsvDialect& dialect, std::size_t column_count,
                                         std::vector<std::uint32_t>& skipped_before) {
    std::vector<RaggedRow> ragged;
    skipped_before.clear();
    if (note_starts(text, dialect, column_count)) return ragged;
    text.starts.clear();
    std::size_t kept = 0, first = 0;  // `ends` is squeezed together in place
    std::uint32_t start = 0;
    for (std::size_t k = 0; k < text.ends.size(); ++k) {
        const std::uint32_t end = text.ends[k];
        if (text.text()[end] != dialect.terminator) continue;
        const std::size_t fields = k + 1 - first;
        const bool comment = dialect.comment != 0 && text.text()[start] == dialect.comment;
        const bool blank = fields == 1 && is_blank_line(text, dialect, start, end);
        if (!comment && !blank && fields == column_count) {
            text.starts.push_back(start);
            std::copy(text.ends.begin() + static_cast<std::ptrdiff_t>(first),
                      text.ends.begin() + static_cast<std::ptrdiff_t>(k + 1),
                      text.ends.begin() + static_cast<std::ptrdiff_t>(kept));
            kept += fields;
        } else if (!comment && !blank) {
            skipped_before.push_back(static_cast<std::uint32_t>(text.starts.size()));
            ragged.push_back({start, fields});
        }
        first = k + 1;
        start = end + 1;
    }
    text.ends = text.ends.first(kept);
    return ragged;
}

}  // namespace suffice
