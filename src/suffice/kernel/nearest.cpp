// One step of k-means, put together from kernels.
#include "suffice/kernel/nearest.hpp"

#include <algorithm>

#include "suffice/kernel/moments.hpp"
#include "suffice/kernel/nearest_two.hpp"

namespace suffice::kernel {

double squared_distance(const double* x, const double* origin, const double* centre, std::size_t column_count) {
    double sum[4] = {};
    std::size_t j = 0;
    for (; j + 4 <= column_count; j += 4)
        for (std::size_t i = 0; i < 4; ++i) {
            const double z = x[j + i] - origin[j + i] - centre[j + i];
            sum[i] += z * z;
        }
    for (; j < column_count; ++j) sum[0] += (x[j] - origin[j] - centre[j]) * (x[j] - origin[j] - centre[j]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void nearest_centres(Rows rows, const double* weight, const double* origin, const double* centres,
                     std::size_t centre_count, std::int32_t* nearest, double* class_weight, double* sum,
                     double* distance) {
    constexpr std::size_t tile_rows = 256;
    const std::size_t d = rows.column_count;
    const PackedCentres packed(centres, centre_count, d);
    for (std::size_t first = 0; first < rows.row_count; first += tile_rows) {
        const Rows part = rows.slice(first, std::min(tile_rows, rows.row_count - first));
        nearest_two(part, origin, packed, nearest + first, nullptr, nullptr);
        if (sum)
            class_moments(part, nearest + first, weight ? weight + first : nullptr, centre_count, origin, class_weight,
                          sum, nullptr);
        if (!distance) continue;
        for (std::size_t r = 0; r < part.row_count; ++r)
            distance[first + r] =
                squared_distance(part.row(r), origin, centres + static_cast<std::size_t>(nearest[first + r]) * d, d);
    }
}

}  // namespace suffice::kernel
