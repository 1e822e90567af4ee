// One pass of softmax regression: of two classes in one reading of the rows, else put together from kernels on tiles
// that stay in the second cache.
#include "suffice/kernel/gradient.hpp"

#include <algorithm>

#include "suffice/kernel/moments.hpp"
#include "suffice/kernel/scores.hpp"
#include "suffice/kernel/scratch.hpp"
#include "suffice/kernel/softmax.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/gradient.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

// As many rows as a vector has lanes; past the end the last row comes once more.
struct LaneRows {
    const double* row[lanes];
    std::size_t columns;
};

HWY_INLINE Vector centred(const double* from, Vector centre, std::size_t left) {
    return hn::Sub(left >= lanes ? load(from) : load_some(from, left), centre);
}

HWY_INLINE Vector some(const double* from, std::size_t left) {
    return left >= lanes ? load(from) : load_some(from, left);
}

// Lane i: slope . (row i - centre).
HWY_INLINE Vector lane_scores(const LaneRows& rows, const double* centre, const double* slope, std::ptrdiff_t ahead) {
    constexpr std::size_t line = 64 / sizeof(double);
    Vector part[lanes];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < lanes; ++i) part[i] = hn::Zero(Doubles());
    for (std::size_t j = 0; j < rows.columns; j += lanes) {
        const std::size_t left = rows.columns - j;
        if (j % line == 0)
#pragma GCC unroll 8
            for (std::size_t i = 0; i < lanes; ++i) prefetch(rows.row[i] + j, ahead);
        const Vector w = some(slope + j, left), c = some(centre + j, left);
#pragma GCC unroll 8
        for (std::size_t i = 0; i < lanes; ++i) part[i] = hn::MulAdd(centred(rows.row[i] + j, c, left), w, part[i]);
    }
    return sum_each(part);
}

// gradient += sum over lanes i of residual_i (row i - centre).
HWY_INLINE void add_rows(const LaneRows& rows, const double* centre, Vector residual, double* gradient) {
    double each[lanes];
    store(residual, each);
    Vector factor[lanes];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < lanes; ++i) factor[i] = broadcast(each[i]);
    for (std::size_t j = 0; j < rows.columns; j += lanes) {
        const std::size_t left = rows.columns - j;
        const Vector c = some(centre + j, left);
        Vector even = hn::Zero(Doubles()), odd = even;
#pragma GCC unroll 8
        for (std::size_t i = 0; i < lanes; ++i) {
            Vector& sum = i % 2 == 0 ? even : odd;
            sum = hn::MulAdd(centred(rows.row[i] + j, c, left), factor[i], sum);
        }
        add_lanes(hn::Add(even, odd), gradient + j, left);
    }
}

// Returns the loss of labels (0 or 1; weight 0 counts for nothing) under p(1) = sigmoid(bias + slope . (x - centre));
// adds w (p(1) - label) (x - centre) to gradient and w (p(1) - label) to residual_sum.
// posterior (may be nullptr): p(0) of all rows, then p(1).
double two_class_sums(const Rows& rows, const double* label, const double* weight, const double* centre,
                      const double* slope, double bias, double* gradient, double* residual_sum, double* posterior) {
    const Doubles d;
    const Vector zero = hn::Zero(d), one = broadcast(1.0);
    const auto ahead = distance_ahead(rows);
    Vector loss = zero, sum = zero;
    for (std::size_t first = 0; first < rows.row_count; first += lanes) {
        const std::size_t count = std::min(lanes, rows.row_count - first);
        LaneRows taken{{}, rows.column_count};
        for (std::size_t i = 0; i < lanes; ++i) taken.row[i] = rows.row(std::min(first + i, rows.row_count - 1));
        const Vector a = hn::Add(broadcast(bias), lane_scores(taken, centre, slope, ahead));
        const Vector e = exponential<true>(d, hn::Neg(hn::Abs(a))), all = hn::Add(one, e);
        const Vector likelier = hn::Div(one, all), other = hn::Mul(e, likelier);
        const auto second = hn::Ge(a, zero);
        const Vector p = hn::IfThenElse(second, likelier, other);
        const Vector y = some(label + first, count), w = some(weight + first, count);
        const auto counted = hn::Ne(w, zero);
        const Vector toward_own = hn::IfThenElse(hn::Ne(y, zero), a, hn::Neg(a));
        const Vector own_loss = hn::Add(logarithm(d, all), hn::Max(zero, hn::Neg(toward_own)));
        loss = hn::Add(loss, hn::IfThenElseZero(counted, hn::Mul(w, own_loss)));
        const Vector residual = hn::IfThenElseZero(counted, hn::Mul(w, hn::Sub(p, y)));
        sum = hn::Add(sum, residual);
        add_rows(taken, centre, residual, gradient);
        if (posterior == nullptr) continue;
        double buffer[2 * lanes];
        store(hn::IfThenElse(second, other, likelier), buffer);
        store(p, buffer + lanes);
        std::copy_n(buffer, count, posterior + first);
        std::copy_n(buffer + lanes, count, posterior + rows.row_count + first);
    }
    *residual_sum += hn::GetLane(hn::SumOfLanes(d, sum));
    return hn::GetLane(hn::SumOfLanes(d, loss));
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(two_class_sums);

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

double two_class_gradient(Rows rows, const std::int32_t* code, const double* weight, const double* centre,
                          const double* coefficient, const double* bias, double* gradient, double* bias_gradient,
                          double* posterior) {
    const std::size_t d = rows.column_count;
    Scratch memory;
    double* slope = memory.reserve(2 * d + 2 * rows.row_count);
    double* sums = slope + d;
    double* label = sums + d;
    double* counted = label + rows.row_count;
    for (std::size_t j = 0; j < d; ++j) slope[j] = coefficient[d + j] - coefficient[j];
    std::fill_n(sums, d, 0.0);
    for (std::size_t r = 0; r < rows.row_count; ++r) {
        label[r] = code[r] == 1 ? 1.0 : 0.0;
        counted[r] = static_cast<std::uint32_t>(code[r]) > 1 ? 0.0 : weight ? weight[r] : 1.0;
    }
    double residual = 0;
    const double loss = HWY_DYNAMIC_DISPATCH(two_class_sums)(rows, label, counted, centre, slope, bias[1] - bias[0],
                                                             sums, &residual, posterior);
    for (std::size_t j = 0; j < d; ++j) {
        gradient[j] -= sums[j];
        gradient[d + j] += sums[j];
    }
    bias_gradient[0] -= residual;
    bias_gradient[1] += residual;
    return loss;
}

}  // namespace

double softmax_gradient(Rows rows, const std::int32_t* code, const double* weight, const double* centre,
                        const double* coefficient, const double* bias, std::size_t class_count, double* gradient,
                        double* bias_gradient, double* posterior) {
    if (class_count == 2)
        return two_class_gradient(rows, code, weight, centre, coefficient, bias, gradient, bias_gradient, posterior);
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
#endif
