// Takes dates apart.
#include "suffice/encode/dates.hpp"

#include <chrono>
#include <vector>

#include "suffice/base/limits.hpp"
#include "suffice/read/named_date.hpp"

namespace suffice {
namespace {

struct Written {
    std::array<int, 3> field{};   // in their order
    std::array<int, 3> digits{};  // of each
    char mark = 0;
    std::string_view time;
};

std::optional<Written> read_fields(std::string_view word) {
    if (const auto named = named_date(word))
        return Written{{named->year, named->month, named->day}, {4, 2, 2}, ' ', named->time};
    Written made;
    std::size_t at = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        for (; at < word.size() && word[at] >= '0' && word[at] <= '9' && made.digits[k] < 4; ++at, ++made.digits[k])
            made.field[k] = 10 * made.field[k] + (word[at] - '0');
        if (made.digits[k] == 0) return std::nullopt;
        if (k == 2) break;
        if (at >= word.size() || (k == 1 && word[at] != made.mark)) return std::nullopt;
        made.mark = word[at++];
    }
    if (at < word.size()) {
        if (word[at] != ' ' && word[at] != 'T') return std::nullopt;
        made.time = word.substr(at + 1);
    }
    return made;
}

double day_fraction(std::string_view time) {
    std::array<int, 3> part{};
    std::size_t k = 0;
    for (const char byte : time) {
        if (byte == ':' && k < 2)
            ++k;
        else if (byte >= '0' && byte <= '9')
            part[k] = 10 * part[k] + (byte - '0');
        else
            break;
    }
    return (part[0] * 3600 + part[1] * 60 + part[2]) / 86400.0;
}

}  // namespace

bool puts_day_first(std::string_view word) {
    const auto read = read_fields(word);
    if (!read || read->digits[0] == 4) return false;
    if (read->field[0] > 12) return true;
    return read->field[1] <= 12 && read->mark != '/';
}

bool has_time(std::string_view word) {
    const auto read = read_fields(word);
    return read && !read->time.empty();
}

double date_part(std::string_view word, DatePart part, bool day_first) {
    const auto read = read_fields(word);
    if (!read) return not_a_number;
    auto [first, second, third] = read->field;
    int year = third, month = day_first ? second : first, day = day_first ? first : second;
    if (read->digits[0] == 4) {
        year = first;
        month = second;
        day = third;
    } else if (read->digits[2] == 2) {
        year = whole_year(third);
    }
    if (month > 12 && day <= 12) std::swap(month, day);
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) return not_a_number;
    const std::chrono::sys_days days(date);
    const double fraction = day_fraction(read->time);
    switch (part) {
        case DatePart::year:
            return year;
        case DatePart::month:
            return month;
        case DatePart::weekday:
            return std::chrono::weekday(days).iso_encoding();
        case DatePart::hour:
            return static_cast<int>(24 * fraction);
        case DatePart::days:
            return static_cast<double>(days.time_since_epoch().count()) + fraction;
        case DatePart::none:
            break;
    }
    return not_a_number;
}

std::string name_of_part(const std::string& column, DatePart part) { return column + "." + std::string(name_of(part)); }

std::optional<NamedPart> part_named(const std::string& name) {
    const std::size_t cut = name.rfind('.');
    if (cut == std::string::npos || cut == 0) return std::nullopt;
    const auto part = value_named<DatePart>(name.substr(cut + 1));
    if (!part || *part == DatePart::none) return std::nullopt;
    return NamedPart{name.substr(0, cut), *part};
}

}  // namespace suffice
