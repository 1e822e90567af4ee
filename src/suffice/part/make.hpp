// Parts made by name, for recipes that learn their families from users and files.
#pragma once
#include <optional>

#include "suffice/part/part.hpp"

namespace suffice {

// All columns of one family; empty: no column family has this name.
std::optional<Part> make_family_part(std::string_view family, const Schema& schema, std::vector<std::uint32_t> columns);
std::vector<std::string> column_family_names();
// Those without a shape, such as a number of levels, that somebody has to know.
std::vector<std::string> shapeless_family_names();
// Some of the columns of a family's Part, by position, with what was seen of them.
Part select_columns(const Part& part, const std::vector<std::size_t>& which);

}  // namespace suffice
