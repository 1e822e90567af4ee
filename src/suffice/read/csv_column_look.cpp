// What the cells of one column are, by the first rows of a file.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "suffice/kernel/decimal.hpp"
#include "suffice/kernel/number_scan.hpp"
#include "suffice/read/csv_cells.hpp"
#include "suffice/read/csv_look.hpp"
#include "suffice/read/word_look.hpp"

namespace suffice {
namespace {

// How many whole numbers differ; 0: some are not whole, or all are multiples of a number above one, as rounded amounts
// are and identifiers are not.
std::uint64_t distinct_whole(std::vector<double> numbers) {
    std::uint64_t divisor = 0;
    std::erase_if(numbers, [](double value) { return std::isnan(value); });
    for (const double value : numbers) {
        if (value != std::floor(value) || std::abs(value) > 0x1p53) return 0;
        divisor = std::gcd(divisor, static_cast<std::uint64_t>(std::abs(value)));
    }
    if (divisor > 1) return 0;
    std::ranges::sort(numbers);
    const auto repeated = std::ranges::unique(numbers);
    return numbers.size() - repeated.size();
}

// An amount is no name of a row.
bool is_amount(std::string_view word) { return word.find_first_of(".,%") != std::string_view::npos; }

// Whether points only part thousands, as in 12.500 beside 999; 1.5 and 0.500 are fractions.
bool points_part_thousands(std::span<const std::string_view> words) {
    bool any = false;
    for (const std::string_view word : words) {
        const bool point = word.find('.') != std::string_view::npos;
        if (point && (word.starts_with("0") || word.starts_with("-0"))) return false;
        if (!styled_number(word, {',', NumberUnit::none})) return false;
        any |= point;
    }
    return any;
}

// The cells of one column.
class ColumnLook {
public:
    ColumnLook(const CsvText& text, const CsvDialect& dialect, const MissingMarks& marks, std::size_t column_count,
               std::size_t place, std::size_t first_row)
        : text_(text), dialect_(dialect), marks_(marks) {
        const std::size_t rows = text.starts.size() > first_row ? text.starts.size() - first_row : 0;
        begin_.resize(rows);
        end_.resize(rows);
        for (std::size_t i = 0; i < rows; ++i) {
            begin_[i] = field_begin(text, column_count, first_row + i, place);
            end_[i] = field_end(text, column_count, first_row + i, place);
        }
        read_numbers();
    }

    FoundColumn found() const {
        FoundColumn found;
        if (!are_numbers()) {
            take_words(found);
        } else if (dialect_.points_part && points_part_thousands(values())) {
            take_styled(found, {',', NumberUnit::none}, values());
        } else {
            take_numbers(found);
        }
        if (found.kind == ColumnKind::number && none_ > 0) found.no_number = std::string(cell(odd_.front()));
        return found;
    }

    bool has_fraction() const {
        const auto is_fraction = [](double value) { return !std::isnan(value) && value != std::floor(value); };
        return are_numbers() && std::ranges::any_of(numbers_, is_fraction) && !points_part_thousands(values());
    }

private:
    std::string_view cell(std::size_t i) const { return trim_cell(text_, dialect_, begin_[i], end_[i]); }

    void read_numbers() {
        const std::size_t rows = begin_.size();
        numbers_.resize(rows);
        std::vector<std::uint32_t> failed(rows);
        failed.resize(
            kernel::parse_numbers(text_.text(), begin_.data(), end_.data(), rows, numbers_.data(), failed.data()));
        for (const std::uint32_t i : failed) {
            const std::string_view word = cell(i);
            if (marks_.contains(word) || kernel::parse_decimal(word.data(), word.data() + word.size(), numbers_[i]))
                continue;
            odd_.push_back(i);
            none_ += marks_.means_no_number(word) ? 1 : 0;
        }
        if (odd_.size() > none_) return;
        for (double& value : numbers_)
            if (std::ranges::find(marks_.numbers(), value) != marks_.numbers().end())
                value = std::numeric_limits<double>::quiet_NaN();
        known_ = static_cast<std::size_t>(std::ranges::count_if(numbers_, [](double x) { return !std::isnan(x); }));
    }

    // A word that says that there is no number says so among numbers; where it is more common it may be a name.
    bool are_numbers() const { return odd_.size() == none_ && 2 * none_ <= known_; }

    // All that is there; words that say that there is no number belong to the words alone.
    std::vector<std::string_view> values(bool with_no_numbers = false) const {
        std::vector<std::string_view> all;
        for (std::size_t i = 0; i < begin_.size(); ++i) {
            const std::string_view word = cell(i);
            if (!marks_.contains(word) && (with_no_numbers || !marks_.means_no_number(word))) all.push_back(word);
        }
        return all;
    }

    void take_numbers(FoundColumn& found) const {
        found.seen = known_;
        found.all_missing = known_ == 0;
        if (known_ == 0) return;
        const auto first = std::ranges::find_if(numbers_, [](double value) { return !std::isnan(value); });
        found.example = std::string(cell(static_cast<std::size_t>(first - numbers_.begin())));
        const bool only_flags =
            std::ranges::all_of(numbers_, [](double value) { return value == 0 || value == 1 || std::isnan(value); });
        if (only_flags) found.kind = ColumnKind::flag;
        if (!only_flags) found.distinct = distinct_whole(numbers_);
    }

    void take_styled(FoundColumn& found, NumberStyle style, const std::vector<std::string_view>& words) const {
        std::vector<double> read;
        for (const std::string_view word : words) read.push_back(*styled_number(word, style));
        found.kind = ColumnKind::number;
        found.style = style;
        found.seen = words.size();
        const bool amounts = style.unit != NumberUnit::none || std::ranges::any_of(words, is_amount);
        found.distinct = amounts ? 0 : distinct_whole(std::move(read));
        const auto odd = std::ranges::find_if(words, is_amount);
        found.example = std::string(odd != words.end() ? *odd : words.front());
    }

    void take_words(FoundColumn& found) const {
        const auto words = values(true), numbers = values();
        found.seen = words.size();
        if (are_flag_words(words)) {
            found.kind = ColumnKind::flag;
            found.spelled_flag = true;
            found.distinct = std::set<std::string_view>(words.begin(), words.end()).size();
            found.example = std::string(words.front());
            return;
        }
        WordLook look;
        for (const std::string_view word : words) look.add(word);
        look.tell(found);
        found.spelled_flag =
            std::ranges::all_of(words, [](std::string_view word) { return parse_flag_word(word).has_value(); });
        const bool few_none = 2 * (words.size() - numbers.size()) <= numbers.size();
        const NumberStyle style =
            found.looks_like_date || !few_none ? NumberStyle{} : style_of(numbers, dialect_.decimal);
        if (style.any()) return take_styled(found, style, numbers);
        found.numbers = words.size() - odd_.size();
        if (!found.looks_like_date) found.example = std::string(cell(odd_.front()));
    }

    const CsvText& text_;
    const CsvDialect& dialect_;
    const MissingMarks& marks_;
    std::vector<std::uint32_t> begin_, end_;
    std::vector<double> numbers_;     // NaN: there is none
    std::vector<std::uint32_t> odd_;  // cells that are neither numbers nor marks of missing values
    std::size_t none_ = 0,
                known_ = 0;  // of them those that say that there is no number; numbers, where no other is odd
};

}  // namespace

FoundColumn look_at_column(const CsvText& text, const CsvDialect& dialect, const MissingMarks& marks,
                           std::size_t column_count, std::size_t place, std::size_t first_row) {
    return ColumnLook(text, dialect, marks, column_count, place, first_row).found();
}

bool has_fractions(const CsvText& text, const CsvDialect& dialect, const MissingMarks& marks, std::size_t column_count,
                   std::size_t place, std::size_t first_row) {
    return ColumnLook(text, dialect, marks, column_count, place, first_row).has_fraction();
}

}  // namespace suffice
