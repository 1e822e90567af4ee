// How far apart the classes lie in one column.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace suffice {

// The F statistic of one-way analysis of variance: variance between the class means over that within the classes.
// Values that are not finite and labels -1 are left out; 0 where nothing can be said, infinite where classes have no
// spread of their own.
double class_separation(std::span<const double> values, std::span<const std::int32_t> label, std::size_t class_count);

}  // namespace suffice
