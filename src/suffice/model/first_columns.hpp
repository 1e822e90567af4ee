// The columns 0, 1, ... of rows that have no others.
#pragma once
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace suffice {

inline std::vector<std::uint32_t> first_columns(std::size_t count) {
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0u);
    return all;
}

}  // namespace suffice
