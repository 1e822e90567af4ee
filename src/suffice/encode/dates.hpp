// Dates as numbers: what a model can learn from a column of them.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "suffice/base/enum_names.hpp"

namespace suffice {

// days: since 1970-01-01, with the time of day as a fraction; weekday: 1 is Monday, 7 Sunday.
enum class DatePart : std::uint8_t { none, year, month, weekday, hour, days };
template <>
inline constexpr std::array<std::string_view, 6> enum_names<DatePart>{"none",    "year", "month",
                                                                      "weekday", "hour", "days"};

// NaN: the word is no date. `day_first`: of 03/04/2024 the third of April.
double date_part(std::string_view word, DatePart part, bool day_first);
// Whether a column with such a date puts the day before the month: told by a number above twelve, else by the sign
// between them (a slash is American).
bool puts_day_first(std::string_view word);
bool has_time(std::string_view word);

// A part of a column has its name, a dot and the part's name.
std::string name_of_part(const std::string& column, DatePart part);
struct NamedPart {
    std::string column;
    DatePart part = DatePart::none;
};
std::optional<NamedPart> part_named(const std::string& name);

}  // namespace suffice
