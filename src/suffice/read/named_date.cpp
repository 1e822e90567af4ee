// Reads words such as March between numbers.
#include "suffice/read/named_date.hpp"

#include <array>

namespace suffice {
namespace {

constexpr std::array<std::string_view, 12> months{"january",   "february", "march",    "april",
                                                  "may",       "june",     "july",     "august",
                                                  "september", "october",  "november", "december"};

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
char lower(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte; }
bool is_letter(char byte) { return lower(byte) >= 'a' && lower(byte) <= 'z'; }

// Its name or the first three letters or more of it; 0: none.
int month_named(std::string_view word) {
    for (std::size_t m = 0; word.size() >= 3 && m < months.size(); ++m) {
        bool same = word.size() <= months[m].size();
        for (std::size_t at = 0; same && at < word.size(); ++at) same = lower(word[at]) == months[m][at];
        if (same) return static_cast<int>(m) + 1;
    }
    return 0;
}

template <class Is>
std::string_view take(std::string_view& word, const Is& is) {
    std::size_t count = 0;
    while (count < word.size() && is(word[count])) ++count;
    const std::string_view taken = word.substr(0, count);
    word.remove_prefix(count);
    return taken;
}

}  // namespace

int whole_year(int two_digits) { return two_digits + (two_digits < 70 ? 2000 : 1900); }

std::optional<NamedDate> named_date(std::string_view word) {
    NamedDate made;
    for (int place = 0; place < 3; ++place) {
        if (place > 0 && take(word, [](char byte) {
                             return std::string_view(" ,-/.").find(byte) != std::string_view::npos;
                         }).empty())
            return std::nullopt;
        if (place < 2 && made.month == 0) {
            made.month = month_named(take(word, is_letter));
            if (made.month > 0) continue;
        }
        const std::string_view digits = take(word, is_digit);
        int number = 0;
        for (const char digit : digits.substr(0, 4)) number = 10 * number + (digit - '0');
        if (place < 2 && (digits.empty() || digits.size() > 2)) return std::nullopt;
        if (place < 2) made.day = number;
        if (place == 2 && digits.size() != 4 && digits.size() != 2) return std::nullopt;
        if (place == 2) made.year = digits.size() == 2 ? whole_year(number) : number;
    }
    if (made.month == 0 || made.day < 1 || made.day > 31) return std::nullopt;
    if (word.empty()) return made;
    take(word, [](char byte) { return byte == ' ' || byte == ','; });
    if (word.size() < 4 || !is_digit(word.front()) || word.find(':') == std::string_view::npos) return std::nullopt;
    made.time = word;
    return made;
}

}  // namespace suffice
