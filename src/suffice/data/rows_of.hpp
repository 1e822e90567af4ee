// The one form that kernels read: row-major doubles of chosen columns, in place where the block is laid out so already.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "suffice/data/block.hpp"
#include "suffice/kernel/rows.hpp"

namespace suffice {

// Views into the block, or into `scratch` after a gather. NaN: missing; unseen_level: a level the model has not seen.
kernel::Rows rows_of(const Block& block, std::span<const std::uint32_t> columns, std::vector<double>& scratch);

// The chosen columns where they lie, if the block holds numbers of this type (double, float or byte) side by side.
template <class Number>
std::optional<kernel::RowsOf<Number>> rows_in_place(const Block& block, std::span<const std::uint32_t> columns);

}  // namespace suffice
