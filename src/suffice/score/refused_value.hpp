// Values that no row of a model can have, said as Scorer::add_row says them: with the column's number as text.
#pragma once
#include <string_view>

#include "suffice/base/result.hpp"

namespace suffice {

// Outside of what a column's family takes.
Error unsupported_value(std::uint32_t column, std::string_view family, std::string_view support, double x);
// No code of a level: see is_level_code.
Error no_level(std::uint32_t column, std::size_t levels, double x);

}  // namespace suffice
