// Prints numbers and cells.
#include "suffice/report/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "suffice/base/visible.hpp"
#include "suffice/family/concepts.hpp"

namespace suffice {

void append_number(std::string& text, double number) {
    if (std::isnan(number)) return;
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text.append(digits, end);
}

void append_cell(std::string& text, std::string_view cell, char delimiter) {
    const char special[] = {delimiter, '"', '\n', '\r'};
    const bool padded = !cell.empty() && (cell.front() == ' ' || cell.back() == ' ');
    if (!padded && cell.find_first_of({special, sizeof special}) == std::string_view::npos) {
        text += cell;
        return;
    }
    text += '"';
    for (char letter : cell) {
        if (letter == '"') text += '"';
        text += letter;
    }
    text += '"';
}

std::string short_number(double number, int digits) {
    if (std::isnan(number)) return "-";
    // A zero of maximum likelihood is kept as this number, so that logarithms stay finite.
    const bool is_zero = std::abs(number - smallest_probability) <= 1e-9 * smallest_probability;
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", digits, number == 0 || is_zero ? 0.0 : number);
    return text;
}

std::string short_number(const std::optional<double>& number) { return number ? short_number(*number) : "-"; }

std::string whole_number(double number) {
    char text[400];
    std::snprintf(text, sizeof text, number == std::floor(number) ? "%.0f" : "%.2f", number);
    std::string grouped = text;
    const auto point = grouped.find('.');
    auto at = static_cast<std::ptrdiff_t>(point == std::string::npos ? grouped.size() : point);
    for (const std::ptrdiff_t first = number < 0 ? 1 : 0; at - 3 > first;)
        grouped.insert(static_cast<std::size_t>(at -= 3), 1, ',');
    return grouped;
}

std::string percent(double share) {
    char text[40];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
    return text;
}

std::string listed(const std::vector<std::string>& words, std::size_t most) {
    std::string text;
    for (std::size_t k = 0; k < std::min(words.size(), most); ++k) text += (k == 0 ? "" : ", ") + visible(words[k]);
    return words.size() > most ? text + " and " + std::to_string(words.size() - most) + " more" : text;
}

}  // namespace suffice
