// Parts made by name, for recipes that learn their families from users and files.
#pragma once
#include <string_view>
#include <vector>

#include "suffice/part/part.hpp"

namespace suffice {

// A kind that says a `word` takes the columns that a user names it for, each column by itself where it is made of one.
struct ColumnWord {
    std::string_view word, takes;
    bool is_family = false;
};
std::vector<ColumnWord> column_words();
// The Parts of these columns under a word, n-grams of this order; empty: there is no such word.
std::vector<Part> make_parts(std::string_view word, const Schema& schema, const std::vector<std::uint32_t>& columns,
                             std::uint32_t order);
// Does the family give probabilities to whole numbers, not densities?
bool is_discrete_family(std::string_view family);

}  // namespace suffice
