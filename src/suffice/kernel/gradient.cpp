// One pass of softmax regression, put together from kernels on tiles that stay in the second cache.
#include "suffice/kernel/gradient.hpp"

#include <algorithm>

#include "suffice/kernel/moments.hpp"
#include "suffice/kernel/scores.hpp"
#include "suffice/kernel/scratch.hpp"
#include "suffice/kernel/softmax.hpp"

namespace suffice::kernel {
namespace {

constexpr std::size_t tile_rows = 256;

// Posteriors become residuals, weighted; returns the loss of these rows.
double turn_into_residuals(const Tile& tile, const std::int32_t* code, const double* weight, const double* own_score,
                           const double* log_evidence) {
    double loss = 0;
    for (std::size_t r = 0; r < tile.row_count; ++r) {
        const bool counted = static_cast<std::uint32_t>(code[r]) < tile.class_count && (!weight || weight[r] != 0);
        const double w = !counted ? 0.0 : weight ? weight[r] : 1.0;
        if (counted) {
            loss += w * (log_evidence[r] - own_score[r]);
            tile.of_class(static_cast<std::size_t>(code[r]))[r] -= 1;
        }
        if (w == 1) continue;
        for (std::size_t c = 0; c < tile.class_count; ++c)
            tile.of_class(c)[r] = counted ? w * tile.of_class(c)[r] : 0.0;
    }
    return loss;
}

}  // namespace

double softmax_gradient(Rows rows, const std::int32_t* code, const double* weight, const double* centre,
                        const double* coefficient, const double* bias, std::size_t class_count, double* gradient,
                        double* bias_gradient, double* posterior) {
    Scratch memory;
    double* joint = memory.reserve((class_count + 2) * tile_rows);
    double* log_evidence = joint + class_count * tile_rows;
    double* own_score = log_evidence + tile_rows;
    double loss = 0;
    for (std::size_t first = 0; first < rows.row_count; first += tile_rows) {
        const Rows part = rows.slice(first, std::min(tile_rows, rows.row_count - first));
        const Tile tile{joint, part.row_count, class_count, tile_rows};
        std::fill_n(joint, class_count * tile_rows, 0.0);
        affine_scores(part, centre, coefficient, bias, tile);
        for (std::size_t r = 0; r < part.row_count; ++r) {
            const auto c = static_cast<std::uint32_t>(code[first + r]);
            own_score[r] = c < class_count ? tile.of_class(c)[r] : 0.0;
        }
        softmax(tile, log_evidence);
        if (posterior)
            for (std::size_t c = 0; c < class_count; ++c)
                std::copy_n(tile.of_class(c), part.row_count, posterior + c * rows.row_count + first);
        loss += turn_into_residuals(tile, code + first, weight ? weight + first : nullptr, own_score, log_evidence);
        shared_moments(part, joint, tile_rows, class_count, centre, bias_gradient, gradient, nullptr);
    }
    return loss;
}

}  // namespace suffice::kernel
