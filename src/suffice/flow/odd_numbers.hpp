// Columns that are taken as words although they were meant as numbers.
#pragma once
#include <string>
#include <string_view>

#include "suffice/read/table.hpp"

namespace suffice {

// 1,5 or 1,234.50 or 1 000 or $7 or 12 %: a number to people, words to us.
bool is_number_to_people(std::string_view word);

// What to say of a column of words; nothing where it is nothing but words.
Note note_of_odd_numbers(const FoundColumn& column);

}  // namespace suffice
