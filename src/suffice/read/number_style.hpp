// Numbers as people write them: 1.234,50 or 1,234.50 or 1 000, 12 %, $7, (3.50). A column is read so where all of its
// values agree on one style.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace suffice {

enum class NumberUnit : std::uint8_t { none, percent, money };

struct NumberStyle {
    char decimal = 0;  // 0: no style, numbers are written like 1234.5
    NumberUnit unit = NumberUnit::none;
    bool any() const { return decimal != 0; }
    bool operator==(const NumberStyle&) const = default;
};

// The number that a word stands for, percent and money without their signs; nothing: it is none in this style.
// Thousands may be set apart by a blank, an apostrophe, an underscore, or whichever of point and comma is not the
// decimal sign.
std::optional<double> styled_number(std::string_view word, NumberStyle style);
// The style that all words are written in; without one where any is no number. 1,234 is taken for thousands unless
// `decimal` says otherwise.
NumberStyle style_of(std::span<const std::string_view> words, char decimal = 0);
// "decimal commas, percent signs left out"
std::string style_text(NumberStyle style);

}  // namespace suffice
