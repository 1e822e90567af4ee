// Exact decimal to double: one division where both sides are exact, else the standard library's from_chars.
#include "suffice/kernel/decimal.hpp"

#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>

namespace suffice::kernel {
namespace {

constexpr double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool is_digit(char byte) { return static_cast<unsigned char>(byte - '0') < 10; }

struct Decimal {
    std::uint64_t mantissa = 0;  // of the first 19 significant digits
    int significant = 0, fraction = 0;
    long exponent = 0;     // as written
    long first_place = 0;  // power of ten of the first digit that is not zero, before the written exponent
    bool any_digit = false;
};

void take_digit(Decimal& number, char byte) {
    number.any_digit = true;
    if (number.significant == 0 && byte == '0') return;
    if (++number.significant <= 19) number.mantissa = number.mantissa * 10 + static_cast<unsigned>(byte - '0');
}

// Reads [at, end), which has no sign; false where it is not a number.
bool read_decimal(const char* at, const char* end, Decimal& number) {
    for (; at < end && is_digit(*at); ++at) take_digit(number, *at);
    number.first_place = number.significant - 1;
    if (at < end && *at == '.') {
        const bool whole_part = number.significant > 0;
        for (++at; at < end && is_digit(*at); ++at) {
            take_digit(number, *at);
            ++number.fraction;
            if (!whole_part && number.significant <= 1) number.first_place = -number.fraction;
        }
    }
    if (!number.any_digit) return false;
    if (at == end) return true;
    if (*at != 'e' && *at != 'E') return false;
    const bool negative = ++at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    if (at == end) return false;
    for (; at < end && is_digit(*at); ++at)
        if (number.exponent < 1'000'000'000) number.exponent = number.exponent * 10 + (*at - '0');
    if (negative) number.exponent = -number.exponent;
    return at == end;
}

bool same_word(std::string_view word, std::string_view lower) {
    if (word.size() != lower.size()) return false;
    for (std::size_t k = 0; k < word.size(); ++k)
        if ((word[k] | 0x20) != lower[k]) return false;
    return true;
}

bool parse_word(std::string_view word, double& magnitude) {
    if (same_word(word, "inf") || same_word(word, "infinity"))
        magnitude = std::numeric_limits<double>::infinity();
    else if (same_word(word, "nan"))
        magnitude = std::numeric_limits<double>::quiet_NaN();
    else
        return false;
    return true;
}

double nearest(const char* at, const char* end, const Decimal& number) {
    const long scale = number.exponent - number.fraction;
    if (number.significant <= 19 && number.mantissa <= (std::uint64_t{1} << 53) && scale >= -22 && scale <= 22) {
        const auto mantissa = static_cast<double>(number.mantissa);  // both sides exact, so one rounding
        return scale < 0 ? mantissa / exact_powers[-scale] : mantissa * exact_powers[scale];
    }
    double magnitude = 0;
    if (std::from_chars(at, end, magnitude).ec == std::errc::result_out_of_range)
        magnitude = number.first_place + number.exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    return magnitude;
}

}  // namespace

bool parse_decimal(const char* begin, const char* end, double& value) {
    if (begin == end) return false;
    const bool negative = *begin == '-';
    if (*begin == '-' || *begin == '+') ++begin;
    Decimal number;
    double magnitude = 0;
    if (read_decimal(begin, end, number))
        magnitude = number.mantissa == 0 ? 0.0 : nearest(begin, end, number);
    else if (!parse_word({begin, static_cast<std::size_t>(end - begin)}, magnitude))
        return false;
    value = negative ? -magnitude : magnitude;
    return true;
}

}  // namespace suffice::kernel
