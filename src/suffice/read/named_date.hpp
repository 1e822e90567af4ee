// Dates whose month is a word: 14 Mar 2023, 14-Mar-23, March 14, 2023, with or without a time of day.
#pragma once
#include <optional>
#include <string_view>

namespace suffice {

struct NamedDate {
    int year = 0, month = 0, day = 0;
    std::string_view time;  // "10:15:00"; empty: none
};

std::optional<NamedDate> named_date(std::string_view word);
// 24 is 2024, 85 is 1985.
int whole_year(int two_digits);

}  // namespace suffice
