// Reads numbers in the styles that people use.
#include "suffice/read/number_style.hpp"

#include <algorithm>
#include <array>

#include "suffice/kernel/decimal.hpp"

namespace suffice {
namespace {

using namespace std::string_view_literals;

constexpr std::array blanks{" "sv, "\u00a0"sv, "\u202f"sv, "\u2009"sv};
constexpr std::array money{"$"sv,   "\u20ac"sv, "\u00a3"sv, "\u00a5"sv, "\u20b9"sv, "\u20a9"sv, "\u20bd"sv,
                           "EUR"sv, "USD"sv,    "GBP"sv,    "CHF"sv,    "JPY"sv,    "kr"sv,     "z\u0142"sv};
constexpr std::array apart{"'"sv, "\u2019"sv, "_"sv, " "sv, "\u00a0"sv, "\u202f"sv, "\u2009"sv};

template <std::size_t N>
bool take_front(std::string_view& word, const std::array<std::string_view, N>& any) {
    for (const std::string_view each : any)
        if (word.starts_with(each)) return word.remove_prefix(each.size()), true;
    return false;
}

template <std::size_t N>
bool take_back(std::string_view& word, const std::array<std::string_view, N>& any) {
    for (const std::string_view each : any)
        if (word.ends_with(each)) return word.remove_suffix(each.size()), true;
    return false;
}

// Signs and units are taken off both ends; what is left is digits and what stands between them.
struct Stripped {
    std::string_view digits;
    bool negative = false;
    NumberUnit unit = NumberUnit::none;
};

std::optional<Stripped> strip_units(std::string_view word) {
    Stripped made;
    bool signed_already = false;
    for (std::size_t before = word.size() + 1; word.size() < before;) {
        before = word.size();
        while (take_front(word, blanks) || take_back(word, blanks)) {
        }
        if (take_front(word, money) || take_back(word, money)) {
            if (made.unit != NumberUnit::none) return std::nullopt;
            made.unit = NumberUnit::money;
        }
        if (word.ends_with('%')) {
            if (made.unit != NumberUnit::none) return std::nullopt;
            made.unit = NumberUnit::percent;
            word.remove_suffix(1);
        }
        const bool brackets = word.size() > 2 && word.starts_with('(') && word.ends_with(')');
        const bool minus = word.starts_with('-') || word.starts_with("\u2212");
        if (!brackets && !minus && !word.starts_with('+')) continue;
        if (signed_already) return std::nullopt;
        signed_already = true;
        made.negative = brackets || minus;
        word.remove_prefix(word.starts_with("\u2212") ? 3 : 1);
        if (brackets) word.remove_suffix(1);
    }
    made.digits = word;
    return made;
}

std::size_t digits_at(std::string_view word) { return std::min(word.find_first_not_of("0123456789"), word.size()); }

}  // namespace

std::optional<double> styled_number(std::string_view word, NumberStyle style) {
    const auto stripped = strip_units(word);
    if (!stripped || stripped->unit != style.unit) return std::nullopt;
    std::string_view rest = stripped->digits;
    std::string plain;
    std::size_t count = digits_at(rest);
    plain += rest.substr(0, count);
    rest.remove_prefix(count);
    const std::string_view other = style.decimal == ',' ? "." : ",";
    // Groups of three behind one to three digits, all set apart alike.
    std::string_view mark;
    while (!rest.empty() && count > 0) {
        if (mark.empty()) {
            if (plain.size() > 3) break;
            for (const std::string_view each : apart)
                if (rest.starts_with(each)) mark = each;
            if (rest.starts_with(other)) mark = other;
            if (mark.empty()) break;
        }
        if (!rest.starts_with(mark)) break;
        const std::string_view behind = rest.substr(mark.size());
        if (digits_at(behind) != 3) return std::nullopt;
        plain += behind.substr(0, 3);
        rest = behind.substr(3);
    }
    if (rest.starts_with(style.decimal)) {
        rest.remove_prefix(1);
        count = digits_at(rest);
        plain += '.';
        plain += rest.substr(0, count);
        rest.remove_prefix(count);
        if (count == 0) plain.pop_back();
    }
    if (!rest.empty() || plain.empty() || plain == ".") return std::nullopt;
    double value = 0;
    if (!kernel::parse_decimal(plain.data(), plain.data() + plain.size(), value)) return std::nullopt;
    return stripped->negative ? -value : value;
}

NumberStyle style_of(std::span<const std::string_view> words, char decimal) {
    if (words.empty()) return {};
    const auto first = strip_units(words.front());
    if (!first) return {};
    const char usual = decimal == ',' ? ',' : '.', unusual = usual == ',' ? '.' : ',';
    for (const char sign : {usual, unusual}) {
        const NumberStyle style{sign, first->unit};
        if (std::ranges::all_of(words, [&](std::string_view word) { return styled_number(word, style).has_value(); }))
            return style;
    }
    return {};
}

std::string style_text(NumberStyle style) {
    const std::string commas = style.decimal == ',' ? "decimal commas" : "points before fractions";
    if (style.unit == NumberUnit::percent) return commas + ", percent signs left out";
    if (style.unit == NumberUnit::money) return commas + ", signs of money left out";
    return style.decimal == ',' ? commas : "thousands set apart";
}

}  // namespace suffice
