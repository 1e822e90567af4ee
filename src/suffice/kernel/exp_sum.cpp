// Sums of Gaussian bumps around many points: lanes are queries, points are broadcast. Exponents are not positive, so
// they are summed without looking for the largest first; only queries far from everything, whose sum nearly vanishes,
// are redone.
#include "suffice/kernel/exp_sum.hpp"

#include <vector>

#include "suffice/kernel/rows.hpp"
#include "suffice/kernel/scratch.hpp"

#ifndef SUFFICE_KERNEL_EXP_SUM
#define SUFFICE_KERNEL_EXP_SUM
namespace suffice::kernel {
namespace {
// The expansion of |q - p|^2 loses about |x|^2 / 2 units in the last place: allowed while that stays near 1e-13.
constexpr double expansion_limit = 500;

double half_square_of(const double* x, std::size_t d) {
    double sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += x[j] * x[j];
    return sum / 2;
}
}  // namespace
}  // namespace suffice::kernel
#endif

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/exp_sum.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

constexpr std::size_t query_width = 2;  // vectors of queries taken together
constexpr std::size_t query_tile = query_width * lanes;
constexpr std::size_t point_group = lanes == 8 ? 4 : 3;  // points taken together

// -1/2 |q - p|^2 + log weight for `Count` points: from differences, or as q.p - |q|^2/2 - |p|^2/2, which is half the
// work. constant: per point the terms that do not depend on the query; half_square: |q|^2/2 of the tile's queries.
template <bool Direct, std::size_t Count>
HWY_INLINE void exponents(const double* tile, const double* half_square, const double* point, std::ptrdiff_t stride,
                          std::size_t d, const double* constant, Vector (&result)[Count][query_width]) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Count; ++i)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < query_width; ++v)
            result[i][v] = Direct ? hn::Zero(Doubles())
                                  : hn::Sub(broadcast(constant[i]), hn::Load(Doubles(), half_square + v * lanes));
    for (std::size_t j = 0; j < d; ++j) {
        Vector q[query_width];
#pragma GCC unroll 2
        for (std::size_t v = 0; v < query_width; ++v) q[v] = hn::Load(Doubles(), tile + j * query_tile + v * lanes);
#pragma GCC unroll 4
        for (std::size_t i = 0; i < Count; ++i) {
            const Vector p = broadcast(point[static_cast<std::ptrdiff_t>(i) * stride + static_cast<std::ptrdiff_t>(j)]);
#pragma GCC unroll 2
            for (std::size_t v = 0; v < query_width; ++v) {
                if constexpr (Direct) {
                    const Vector z = hn::Sub(q[v], p);
                    result[i][v] = hn::MulAdd(z, z, result[i][v]);
                } else {
                    result[i][v] = hn::MulAdd(q[v], p, result[i][v]);
                }
            }
        }
    }
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Count; ++i)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < query_width; ++v)
            result[i][v] = Direct ? hn::NegMulAdd(broadcast(0.5), result[i][v], broadcast(constant[i]))
                                  : hn::Min(result[i][v], hn::Zero(Doubles()));  // rounding may push it above 0
}

// One pass over the points: sums of exp(exponent - shift), or, when `highest` is given, only the largest exponents.
template <bool Direct>
void pass_over(const double* tile, const double* half_square, const Rows& points, const double* constant,
               const double* shift, Vector* sum, Vector* highest) {
    const std::size_t d = points.column_count;
    const auto take = [&](const auto& exponent, std::size_t count) HWY_ATTR {
        for (std::size_t v = 0; v < query_width; ++v)
            for (std::size_t i = 0; i < count; ++i) {
                if (highest) {
                    highest[v] = hn::Max(highest[v], exponent[i][v]);
                } else {
                    const Vector e = shift ? hn::Sub(exponent[i][v], load(shift + v * lanes)) : exponent[i][v];
                    sum[v] = hn::Add(sum[v], exponential<false>(Doubles(), e));
                }
            }
    };
    std::size_t i = 0;
    for (; i + point_group <= points.row_count; i += point_group) {
        Vector exponent[point_group][query_width];
        exponents<Direct>(tile, half_square, points.row(i), points.stride, d, constant + i, exponent);
        take(exponent, point_group);
    }
    for (; i < points.row_count; ++i) {
        Vector exponent[1][query_width];
        exponents<Direct>(tile, half_square, points.row(i), points.stride, d, constant + i, exponent);
        take(exponent, 1);
    }
}

template <bool Direct>
void sums_of_tile(const double* tile, const double* half_square, const Rows& points, const double* constant,
                  std::size_t query_count, double* out) {
    constexpr double vanishing = 1e-280;
    const Doubles d;
    Vector sum[query_width];
    for (Vector& v : sum) v = hn::Zero(d);
    pass_over<Direct>(tile, half_square, points, constant, nullptr, sum, nullptr);
    alignas(Scratch::alignment) double shift[query_tile] = {};
    bool far = false;
    for (std::size_t v = 0; v < query_width; ++v) far |= !hn::AllFalse(d, hn::Lt(sum[v], broadcast(vanishing)));
    if (far) {
        Vector highest[query_width];
        for (Vector& v : highest) v = broadcast(-__builtin_inf());
        pass_over<Direct>(tile, half_square, points, constant, nullptr, nullptr, highest);
        for (std::size_t v = 0; v < query_width; ++v) {
            const auto none = hn::Eq(highest[v], broadcast(-__builtin_inf()));
            store(hn::IfThenElse(none, hn::Zero(d), highest[v]), shift + v * lanes);
            sum[v] = hn::Zero(d);
        }
        pass_over<Direct>(tile, half_square, points, constant, shift, sum, nullptr);
    }
    alignas(Scratch::alignment) double result[query_tile];
    for (std::size_t v = 0; v < query_width; ++v) {
        const Vector size = load(half_square + v * lanes);
        const Vector total = hn::Add(load(shift + v * lanes), logarithm(d, sum[v]));
        store(hn::Add(total, hn::Sub(size, size)), result + v * lanes);  // NaN where the query is not finite
    }
    std::copy_n(result, query_count, out);
}

// near: whether the points allow the expansion. memory: (d + 1) tiles of queries.
void sum_bumps(Rows queries, Rows points, bool near, const double* log_weight, const double* expanded,
               const double* zero, double* memory, double* out) {
    const std::size_t d = queries.column_count;
    double* half_square = memory + d * query_tile;
    for (std::size_t q = 0; q < queries.row_count; q += query_tile) {
        pack_tile<query_width>(queries, q, 0, d, zero, memory);
        bool all_near = near;
        for (std::size_t t = 0; t < query_tile; ++t) {
            half_square[t] = half_square_of(queries.row(std::min(q + t, queries.row_count - 1)), d);
            all_near &= half_square[t] < expansion_limit;
        }
        const std::size_t count = std::min(query_tile, queries.row_count - q);
        if (all_near)
            sums_of_tile<false>(memory, half_square, points, expanded, count, out + q);
        else
            sums_of_tile<true>(memory, half_square, points, log_weight, count, out + q);
    }
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(sum_bumps);

void exp_sum(Rows queries, Rows points, const double* log_weight, double* out) {
    constexpr std::size_t largest_tile = 16;
    const std::size_t d = queries.column_count;
    std::vector<double> log_weights, expanded;
    bool near = d > 4;
    for (std::size_t i = 0; i < points.row_count; ++i) {
        const double half = half_square_of(points.row(i), d);
        near = near && half < expansion_limit;
        log_weights.push_back(log_weight ? log_weight[i] : 0.0);
        expanded.push_back(log_weights.back() - half);
    }
    Scratch memory;
    const std::vector<double> zero(d, 0.0);
    HWY_DYNAMIC_DISPATCH(sum_bumps)
    (queries, points, near, log_weights.data(), expanded.data(), zero.data(), memory.reserve((d + 1) * largest_tile),
     out);
}
}  // namespace suffice::kernel
#endif
