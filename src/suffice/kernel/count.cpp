// Counting the levels of categorical columns per class.
#include "suffice/kernel/count.hpp"

#include <algorithm>
#include <vector>

namespace suffice::kernel {

std::size_t class_level_counts(Codes codes, const std::int32_t* level_count, const std::int32_t* code,
                               const double* weight, std::size_t class_count, double* counts) {
    std::vector<double*> column(codes.column_count);
    double* next = counts;
    for (std::size_t j = 0; j < codes.column_count; ++j) {
        column[j] = next;
        next += static_cast<std::size_t>(level_count[j]) * class_count;
    }
    std::size_t refused = 0;
    const std::int32_t* levels = codes.values;
    for (std::size_t r = 0; r < codes.row_count; ++r, levels += codes.stride) {
        const auto c = static_cast<std::uint32_t>(code ? code[r] : 0);
        const double w = weight ? weight[r] : 1.0;
        if (c >= class_count || w == 0) continue;
        for (std::size_t j = 0; j < codes.column_count; ++j) {
            if (levels[j] < 0) continue;
            if (levels[j] >= level_count[j])
                ++refused;
            else
                column[j][static_cast<std::size_t>(levels[j]) * class_count + c] += w;
        }
    }
    return refused;
}

std::size_t class_level_counts(Rows rows, const std::int32_t* level_count, const std::int32_t* code,
                               const double* weight, std::size_t class_count, double* counts) {
    constexpr std::size_t tile = 4096;  // codes that stay in the first cache
    const std::size_t step = std::max<std::size_t>(1, tile / std::max<std::size_t>(1, rows.column_count));
    std::vector<std::int32_t> codes(step * rows.column_count);
    const auto width = static_cast<std::ptrdiff_t>(rows.column_count);
    std::size_t refused = 0;
    for (std::size_t first = 0; first < rows.row_count; first += step) {
        const Rows part = rows.slice(first, std::min(step, rows.row_count - first));
        refused += level_codes(part, level_count, codes.data(), width);
        class_level_counts(Codes{codes.data(), part.row_count, part.column_count, width}, level_count,
                           code ? code + first : nullptr, weight ? weight + first : nullptr, class_count, counts);
    }
    return refused;
}

}  // namespace suffice::kernel
