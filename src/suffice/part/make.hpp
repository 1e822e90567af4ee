// Parts made by name, for recipes that learn their families from users and files.
#pragma once
#include <optional>

#include "suffice/part/part.hpp"

namespace suffice {

// All columns of one family; empty: no column family has this name.
std::optional<Part> make_family_part(std::string_view family, const Schema& schema, std::vector<std::uint32_t> columns);
std::vector<std::string> column_family_names();

}  // namespace suffice
