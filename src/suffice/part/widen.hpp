// A column that was 0 and 1 so far and turns out to hold other numbers: its counts become a Gaussian's moments,
// exactly.
#pragma once
#include "suffice/accumulate/several.hpp"
#include "suffice/part/part.hpp"

namespace suffice {

// Moves the column from the bernoulli Part to the gaussian one, which is made where there is none. Nothing happens
// where the column is in no bernoulli Part. Parts keep the order of their names, as recipes have it.
void widen_flag(Several<Part>& parts, std::uint32_t column, const Schema& schema);

}  // namespace suffice
