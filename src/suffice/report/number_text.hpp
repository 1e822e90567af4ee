// Numbers and words as they are printed: exactly for programs, shortly for people.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace suffice {

// The shortest digits that read back as the same double; nothing for NaN.
void append_number(std::string& text, double number);
// A CSV cell: quoted where it must be.
void append_cell(std::string& text, std::string_view cell, char delimiter = ',');

std::string short_number(double number, int digits = 4);        // "3.142", "1.2e-09"; "-" for NaN
std::string short_number(const std::optional<double>& number);  // "-" where there is none
std::string whole_number(double number);                        // "12,345"
std::string percent(double share);                              // "97.3 %"

// "a, b, c" as people may see them (base/visible.hpp), and behind the first `most` how many more there are.
std::string listed(const std::vector<std::string>& words, std::size_t most);

}  // namespace suffice
