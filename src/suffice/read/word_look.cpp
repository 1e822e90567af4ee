// Counts words, and tells dates and numbers among them.
#include "suffice/read/word_look.hpp"

#include <algorithm>

#include "suffice/kernel/decimal.hpp"
#include "suffice/read/named_date.hpp"

namespace suffice {
namespace {

std::uint64_t word_count(std::string_view value) {
    std::uint64_t words = 0;
    bool inside = false;
    for (const char byte : value) {
        const bool blank = byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
        words += !blank && !inside;
        inside = !blank;
    }
    return words;
}

bool is_whole_pattern(std::string_view word, std::string_view pattern) {  // 9: a digit, 8: a digit or nothing
    std::size_t at = 0;
    for (const char expected : pattern) {
        const bool digit = at < word.size() && word[at] >= '0' && word[at] <= '9';
        if (expected == '8' && !digit) continue;
        if ((expected == '9' || expected == '8') ? !digit : (at >= word.size() || word[at] != expected)) return false;
        ++at;
    }
    return at == word.size();
}

// 31/12/1999 and 12/31/1999 do, 03/04/1999 does not.
bool tells_day_from_month(std::string_view date) {
    const std::size_t cut = date.find_first_not_of("0123456789");
    if (cut == std::string_view::npos || cut > 2) return false;
    const auto above_twelve = [](std::string_view digits) {
        return digits.size() >= 2 && digits[0] >= '1' && digits[1] >= '0' && digits[1] <= '9' &&
               (digits[0] > '1' || digits[1] > '2');
    };
    return above_twelve(date.substr(0, cut)) || above_twelve(date.substr(cut + 1, 2));
}

}  // namespace

bool is_date(std::string_view word) {
    if (named_date(word)) return true;
    const std::string_view date = word.substr(0, word.find_first_of(" T"));
    if (date.size() < word.size()) {  // a time of day may follow
        const std::string_view time = word.substr(date.size() + 1);
        if (time.size() < 4 || time.find(':') == std::string_view::npos || time.front() < '0' || time.front() > '9')
            return false;
    }
    for (const std::string_view pattern :
         {"9999-98-98", "9999/98/98", "9999.98.98", "98/98/9999", "98-98-9999", "98.98.9999", "98/98/99", "98.98.99"})
        if (is_whole_pattern(date, pattern)) return true;
    return false;
}

std::string in_quotes(std::string_view word) {
    constexpr std::size_t most = 40;
    std::size_t cut = std::min(word.size(), most);
    while (cut > 0 && cut < word.size() && (static_cast<unsigned char>(word[cut]) & 0xC0) == 0x80) --cut;
    std::string text = "\"";
    text.append(word.substr(0, cut)).append(cut < word.size() ? "...\"" : "\"");
    return text;
}

std::string_view text_at(const Cells& cells, std::size_t row) {
    if (cells.codes.empty()) return cells.words[row];
    return cells.codes[row] < 0 ? std::string_view{} : cells.dictionary[static_cast<std::size_t>(cells.codes[row])];
}

void WordLook::add(std::string_view value, std::uint64_t rows) {
    const auto [at, fresh] = distinct_.try_emplace(value);
    Value& known = at->second;
    if (fresh) {
        double number = 0;
        known = {word_count(value), kernel::parse_decimal(value.data(), value.data() + value.size(), number)};
        dates_ = dates_ && is_date(value);
        if (example_.data() == nullptr) example_ = value;
        if (no_number_.data() == nullptr && !known.is_number) no_number_ = value;
        if (telling_date_.data() == nullptr && dates_ && tells_day_from_month(value)) telling_date_ = value;
    }
    seen_ += rows;
    words_ += rows * known.words;
    numbers_ += known.is_number ? rows : 0;
}

void WordLook::tell(FoundColumn& found, bool declared) const {
    found.distinct = distinct_.size();
    found.mean_words = seen_ > 0 ? static_cast<double>(words_) / static_cast<double>(seen_) : 0;
    found.numbers = numbers_;
    found.looks_like_date = dates_ && !distinct_.empty();
    const bool text = found.mean_words > 3 && !found.looks_like_date && !declared;
    found.kind = text ? ColumnKind::text : ColumnKind::category;
    found.example = example_;
    if (no_number_.data() != nullptr) found.example = no_number_;
    if (found.looks_like_date && telling_date_.data() != nullptr) found.example = telling_date_;
}

}  // namespace suffice
