// The doubles beyond all numbers, by short names.
#pragma once
#include <limits>

namespace suffice {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace suffice
