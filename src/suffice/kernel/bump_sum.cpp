// Sums Gaussian bumps at one place: lanes are points.
#include "suffice/kernel/bump_sum.hpp"

#include "suffice/kernel/rows.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/bump_sum.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

constexpr std::size_t together = 4;  // vectors of points, so that one exponential waits while others work

template <std::size_t Count, class Load>
HWY_INLINE void add_bumps(const double* query, std::size_t dimension, const double* columns, std::size_t stride,
                          const double* weight, const Load& load_at, Vector (&sum)[together]) {
    Vector square[Count];
#pragma GCC unroll 4
    for (Vector& s : square) s = hn::Zero(Doubles());
    for (std::size_t j = 0; j < dimension; ++j) {
        const Vector q = broadcast(query[j]);
#pragma GCC unroll 4
        for (std::size_t v = 0; v < Count; ++v) {
            const Vector z = hn::Sub(load_at(columns + j * stride + v * lanes), q);
            square[v] = hn::MulAdd(z, z, square[v]);
        }
    }
#pragma GCC unroll 4
    for (std::size_t v = 0; v < Count; ++v)
        sum[v] = hn::MulAdd(load_at(weight + v * lanes),
                            exponential<false>(Doubles(), hn::Mul(square[v], broadcast(-0.5))), sum[v]);
}

double sum_at_query(const double* query, std::size_t dimension, const double* columns, std::size_t stride,
                    const double* weight, std::size_t count) {
    Vector sum[together];
    for (Vector& s : sum) s = hn::Zero(Doubles());
    const auto whole = [](const double* from) HWY_ATTR { return load(from); };
    std::size_t at = 0;
    for (; at + together * lanes <= count; at += together * lanes)
        add_bumps<together>(query, dimension, columns + at, stride, weight + at, whole, sum);
    for (; at + lanes <= count; at += lanes)
        add_bumps<1>(query, dimension, columns + at, stride, weight + at, whole, sum);
    if (at < count) {  // the rest weighs nothing
        const auto some = [left = count - at](const double* from) HWY_ATTR { return load_some(from, left); };
        add_bumps<1>(query, dimension, columns + at, stride, weight + at, some, sum);
    }
    return hn::GetLane(hn::SumOfLanes(Doubles(), hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]))));
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(sum_at_query);

double bump_sum(const double* query, std::size_t dimension, const double* columns, std::size_t stride,
                const double* weight, std::size_t count) {
    return HWY_DYNAMIC_DISPATCH(sum_at_query)(query, dimension, columns, stride, weight, count);
}
}  // namespace suffice::kernel
#endif
