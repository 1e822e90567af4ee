// Finds out what kept a column from being numbers.
#include "suffice/flow/odd_numbers.hpp"

#include <algorithm>
#include <array>

namespace suffice {
namespace {

constexpr std::array<std::string_view, 7> units{"$", "%", "\u20ac", "\u00a3", "\u00a5", " ", "\u00a0"};

// Takes units and signs off both ends.
std::string_view without_units(std::string_view word) {
    for (std::size_t before = word.size() + 1; word.size() < before;) {
        before = word.size();
        for (const std::string_view unit : units) {
            if (word.starts_with(unit)) word.remove_prefix(unit.size());
            if (word.ends_with(unit)) word.remove_suffix(unit.size());
        }
        if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
    }
    return word;
}

std::size_t take_digits(std::string_view& word) {
    const std::size_t count = std::min(word.find_first_not_of("0123456789"), word.size());
    word.remove_prefix(count);
    return count;
}

}  // namespace

bool is_number_to_people(std::string_view word) {
    std::string_view rest = without_units(word);
    const bool had_units = rest.size() < word.size();
    const std::size_t first = take_digits(rest);
    if (first == 0) return false;
    if (rest.empty()) return had_units;
    const char mark = rest.front();
    if (std::string_view(",.' _").find(mark) == std::string_view::npos) return false;
    std::size_t groups = 0;
    std::string_view grouped = rest;
    while (grouped.starts_with(mark)) {
        grouped.remove_prefix(1);
        if (take_digits(grouped) != 3) break;
        ++groups;
        rest = grouped;
    }
    if (first <= 3 && groups > 0 && rest.empty()) return true;
    if (rest.starts_with('.') || rest.starts_with(',')) {  // the fraction
        rest.remove_prefix(1);
        return take_digits(rest) > 0 && rest.empty();
    }
    return false;
}

Note note_of_odd_numbers(const FoundColumn& column) {
    if (column.seen > 0 && column.numbers == column.seen)
        return {"the column " + column.name +
                    " is taken as words, as its source has it, though they are numbers, such as " + column.example,
                {{"families", column.name + "=gaussian", "take it as numbers with"}}};
    const std::string start = "the column " + column.name + " is taken as words, since it holds " + column.example;
    if (is_number_to_people(column.example)) return start + "; numbers are written like 1234.5";
    if (column.numbers > 0 && 5 * column.numbers >= 4 * column.seen)
        return {start + " among its numbers", {{"missing", "", "name it with", "if it means that there is no value"}}};
    return {};
}

}  // namespace suffice
