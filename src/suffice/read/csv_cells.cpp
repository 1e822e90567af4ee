// Decodes columns over blocks of rows, so that the text of a block stays in the nearest cache while its columns are
// read.
#include "suffice/read/csv_cells.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <set>
#include <utility>

#include "suffice/kernel/decimal.hpp"
#include "suffice/kernel/number_scan.hpp"

namespace suffice {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 14;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

class CellDecoder {
public:
    CellDecoder(CsvText& text, const CsvDialect& dialect, const MissingMarks& marks, std::size_t column_count,
                std::size_t block_rows)
        : text_(text), dialect_(dialect), marks_(marks), column_count_(column_count) {
        begin_.resize(block_rows);
        end_.resize(block_rows);
        failed_.resize(block_rows);
        for (std::size_t byte = 0; byte < blank_.size(); ++byte)
            blank_[byte] = dialect.is_blank(static_cast<char>(byte));
    }

    std::optional<BadCell> decode(const CellPlan& plan, std::size_t first, std::size_t count, Cells& cells) {
        gather(plan.place, first, count);
        if (plan.kind == ColumnKind::number || plan.kind == ColumnKind::flag)
            return numbers(plan, first, count, cells.numbers.data() + first);
        words(count, cells.words.data() + first);
        return std::nullopt;
    }

private:
    // Bounds of the column's fields in these rows, so that what follows runs over plain arrays.
    void gather(std::size_t place, std::size_t first, std::size_t count) {
        const std::uint32_t* ends = text_.ends.data() + first * column_count_ + place;
        const char* bytes = text_.text();
        if (place == 0)
            std::copy_n(text_.starts.begin() + static_cast<std::ptrdiff_t>(first), count, begin_.begin());
        else
            for (std::size_t i = 0; i < count; ++i) begin_[i] = (ends - 1)[i * column_count_] + 1;
        for (std::size_t i = 0; i < count; ++i) end_[i] = ends[i * column_count_];
        if (place + 1 == column_count_)
            for (std::size_t i = 0; i < count; ++i)
                end_[i] -= static_cast<std::uint32_t>(end_[i] > begin_[i] && bytes[end_[i] - 1] == '\r');
        if (dialect_.padded)
            for (std::size_t i = 0; i < count; ++i)
                while (begin_[i] < end_[i] && bytes[begin_[i]] == ' ') ++begin_[i];
    }

    std::optional<BadCell> numbers(const CellPlan& plan, std::size_t first, std::size_t count, double* out) {
        const std::size_t failures =
            kernel::parse_numbers(text_.text(), begin_.data(), end_.data(), count, out, failed_.data());
        for (std::size_t k = 0; k < failures; ++k) {
            const std::size_t i = failed_[k];
            if (begin_[i] == end_[i]) continue;  // NaN is there already
            const std::string_view word = clean_cell(text_, dialect_, begin_[i], end_[i]);
            if (marks_.contains(word) || kernel::parse_decimal(word.data(), word.data() + word.size(), out[i]) ||
                marks_.means_no_number(word))
                continue;
            const auto flag = plan.spelled_flag ? parse_flag_word(word) : std::nullopt;
            if (!flag) return BadCell{plan.column, first + i, begin_[i], word};
            out[i] = *flag ? 1 : 0;
        }
        for (const double mark : marks_.numbers())
            for (std::size_t i = 0; i < count; ++i)
                if (out[i] == mark) out[i] = missing;
        return std::nullopt;
    }

    void words(std::size_t count, std::string_view* out) {
        const char* const bytes = text_.text();
        const char quote = dialect_.quote;
        for (std::size_t i = 0; i < count; ++i) {
            std::uint32_t begin = begin_[i], end = end_[i];
            const char first = bytes[begin], last = (bytes - 1)[end];  // padding is readable
            const bool is_quoted = (first == quote) & (last == quote) & (end - begin >= 2) & (quote != 0);
            std::string_view word;
            const int blanks = int{blank_[static_cast<unsigned char>(first)]} |
                               int{blank_[static_cast<unsigned char>(last)]};  // no branch for each: few cells have any
            if ((blanks | (int{is_quoted} & int{text_.doubled})) != 0)
                word = clean_cell(text_, dialect_, begin, end);
            else
                word = {bytes + begin + is_quoted, end - begin - 2 * static_cast<std::size_t>(is_quoted)};
            out[i] = marks_.contains(word) ? std::string_view() : word;
        }
    }

    CsvText& text_;
    const CsvDialect& dialect_;
    const MissingMarks& marks_;
    std::size_t column_count_;
    std::array<bool, 256> blank_{};
    std::vector<std::uint32_t> begin_, end_, failed_;
};

using FlagPair = std::array<std::string_view, 2>;
constexpr std::array flag_pairs{FlagPair{"true", "false"},
                                FlagPair{"t", "f"},
                                FlagPair{"yes", "no"},
                                FlagPair{"y", "n"},
                                FlagPair{"on", "off"},
                                FlagPair{"wahr", "falsch"},
                                FlagPair{"ja", "nein"},
                                FlagPair{"ja", "nee"},
                                FlagPair{"ja", "nej"},
                                FlagPair{"ja", "nei"},
                                FlagPair{"j", "n"},
                                FlagPair{"vrai", "faux"},
                                FlagPair{"oui", "non"},
                                FlagPair{"verdadero", "falso"},
                                FlagPair{"si", "no"},
                                FlagPair{"s\u00ed", "no"},
                                FlagPair{"s\u00cd", "no"},
                                FlagPair{"vero", "falso"},
                                FlagPair{"s\u00ec", "no"},
                                FlagPair{"s\u00cc", "no"},
                                FlagPair{"verdadeiro", "falso"},
                                FlagPair{"sim", "nao"},
                                FlagPair{"sim", "n\u00e3o"},
                                FlagPair{"sim", "n\u00c3o"},
                                FlagPair{"tak", "nie"}};
constexpr std::size_t plain_pair = 0, letters_of_true = 1, letters_of_yes = 3;

char small_letter(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte; }

// Which pair the word is of, and whether it stands for yes.
std::optional<std::pair<std::size_t, bool>> flag_spelling(std::string_view word) {
    for (std::size_t pair = 0; pair < flag_pairs.size(); ++pair)
        for (const bool yes : {true, false})
            if (std::ranges::equal(word, flag_pairs[pair][yes ? 0 : 1], {}, small_letter)) return std::pair(pair, yes);
    return std::nullopt;
}

// "" -> " within [begin, end); what is left over is filled with quotes, which hold no line end.
char* unescape(char* begin, char* end, char quote) {
    char* out = static_cast<char*>(std::memchr(begin, quote, static_cast<std::size_t>(end - begin)));
    if (out == nullptr) return end;
    for (const char* from = out; from < end; ++from) {
        *out++ = *from;
        if (*from == quote && from + 1 < end && from[1] == quote) ++from;
    }
    std::fill(out, end, quote);
    return out;
}

}  // namespace

std::string_view trim_cell(const CsvText& text, const CsvDialect& dialect, std::uint32_t begin, std::uint32_t end) {
    const char* const bytes = text.text();
    while (begin < end && dialect.is_blank(bytes[begin])) ++begin;
    while (begin < end && dialect.is_blank(bytes[end - 1])) --end;
    const bool quoted =
        end - begin >= 2 && dialect.quote != 0 && bytes[begin] == dialect.quote && bytes[end - 1] == dialect.quote;
    return quoted ? std::string_view(bytes + begin + 1, end - begin - 2) : std::string_view(bytes + begin, end - begin);
}

std::string_view clean_cell(CsvText& text, const CsvDialect& dialect, std::uint32_t begin, std::uint32_t end) {
    const std::string_view word = trim_cell(text, dialect, begin, end);
    const bool quoted = word.data() > text.text() && word.data()[-1] == dialect.quote && dialect.quote != 0;
    if (!text.doubled || !quoted) return word;
    char* const first = text.text() + (word.data() - text.text());
    return {first, static_cast<std::size_t>(unescape(first, first + word.size(), dialect.quote) - first)};
}

std::optional<bool> parse_flag_word(std::string_view word) {
    const auto spelled = flag_spelling(word);
    return spelled ? std::optional(spelled->second) : std::nullopt;
}

bool are_flag_words(std::span<const std::string_view> words) {
    std::set<std::string_view> spellings;
    std::array<bool, flag_pairs.size()> used{};
    bool other = false;
    for (const std::string_view word : words) {
        const auto spelled = flag_spelling(word);
        other |= !spelled && word != "0" && word != "1";
        if (other) return false;
        if (spelled) used[spelled->first] = true;
        spellings.insert(word);
    }
    const bool only_plain = std::ranges::count(used, true) == 1 && used[plain_pair];
    return (only_plain || spellings.size() > 2) && !(used[letters_of_true] && used[letters_of_yes]);
}

std::uint32_t field_begin(const CsvText& text, std::size_t column_count, std::size_t row, std::size_t place) {
    return place == 0 ? text.starts[row] : text.ends[row * column_count + place - 1] + 1;
}

std::uint32_t field_end(const CsvText& text, std::size_t column_count, std::size_t row, std::size_t place) {
    return text.ends[row * column_count + place];
}

std::optional<BadCell> decode_cells(CsvText& text, const CsvDialect& dialect, const MissingMarks& marks,
                                    std::size_t column_count, const std::vector<CellPlan>& plans,
                                    std::vector<Cells>& cells) {
    const std::size_t rows = text.starts.size();
    if (rows == 0) return std::nullopt;
    const std::size_t block_rows = std::clamp<std::size_t>(block_bytes * rows / (text.size + 1), 8, 4096);
    CellDecoder decoder(text, dialect, marks, column_count, block_rows);
    for (std::size_t first = 0; first < rows; first += block_rows)
        for (const CellPlan& plan : plans)
            if (auto bad = decoder.decode(plan, first, std::min(block_rows, rows - first), cells[plan.column]))
                return bad;
    return std::nullopt;
}

}  // namespace suffice
