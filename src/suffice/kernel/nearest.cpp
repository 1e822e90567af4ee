// One step of k-means, put together from kernels: the nearest centre is the one with the highest c.x - |c|^2 / 2.
#include "suffice/kernel/nearest.hpp"

#include <algorithm>

#include "suffice/kernel/moments.hpp"
#include "suffice/kernel/scores.hpp"
#include "suffice/kernel/scratch.hpp"
#include "suffice/kernel/softmax.hpp"

namespace suffice::kernel {
namespace {

constexpr std::size_t tile_rows = 256;

double squared_distance(const double* x, const double* origin, const double* centre, std::size_t d) {
    double sum[4] = {};
    std::size_t j = 0;
    for (; j + 4 <= d; j += 4)
        for (std::size_t i = 0; i < 4; ++i) {
            const double z = x[j + i] - origin[j + i] - centre[j + i];
            sum[i] += z * z;
        }
    for (; j < d; ++j) sum[0] += (x[j] - origin[j] - centre[j]) * (x[j] - origin[j] - centre[j]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

void nearest_centres(Rows rows, const double* weight, const double* origin, const double* centres,
                     std::size_t centre_count, std::int32_t* nearest, double* class_weight, double* sum,
                     double* distance) {
    const std::size_t d = rows.column_count;
    Scratch memory;
    double* joint = memory.reserve(centre_count * (tile_rows + 1));
    double* bias = joint + centre_count * tile_rows;
    for (std::size_t c = 0; c < centre_count; ++c) {
        double square = 0;
        for (std::size_t j = 0; j < d; ++j) square += centres[c * d + j] * centres[c * d + j];
        bias[c] = -square / 2;
    }
    for (std::size_t first = 0; first < rows.row_count; first += tile_rows) {
        const Rows part = rows.slice(first, std::min(tile_rows, rows.row_count - first));
        const Tile tile{joint, part.row_count, centre_count, tile_rows};
        std::fill_n(joint, centre_count * tile_rows, 0.0);
        affine_scores(part, origin, centres, bias, tile);
        argmax(tile, nearest + first);
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
