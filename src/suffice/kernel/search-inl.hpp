// The search for the two best of many centres, in either precision: centres are ordered by blocks, and the two highest
// scores c.x - |c|^2 / 2 never leave the registers. Compiled once per instruction set, as vector-inl.hpp is.
#if defined(SUFFICE_KERNEL_SEARCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SUFFICE_KERNEL_SEARCH_INL
#undef SUFFICE_KERNEL_SEARCH_INL
#else
#define SUFFICE_KERNEL_SEARCH_INL
#endif

#include "suffice/kernel/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

constexpr std::size_t search_width = 2;  // vectors of rows searched together

// In order of use: for each block of centres, for each column, for each centre of the block.
template <class Real>
void order_centres(const double* centres, std::size_t count, std::size_t columns, double scale, Real* out) {
    const std::size_t block = class_block(count);
    for (std::size_t c = 0; c < count; c += block)
        for (std::size_t j = 0; j < columns; ++j)
            for (std::size_t i = c; i < std::min(c + block, count); ++i)
                *out++ = static_cast<Real>(scale * centres[i * columns + j]);
}

template <class Tag>
struct TwoBest {
    hn::Vec<Tag> best, second, index;
};

// `Stride`: from a column of the transposed tile to the next.
template <std::size_t Count, std::size_t Stride, class Tag, class Real = hn::TFromD<Tag>>
HWY_INLINE void search_block(Tag tag, const Real* tile, std::size_t columns, const Real* coefficient, const Real* bias,
                             std::size_t first, TwoBest<Tag> (&two)[search_width]) {
    using Lanes = hn::Vec<Tag>;
    constexpr std::size_t lane_count = HWY_LANES(Real);
    Lanes sum[Count][search_width];
#pragma GCC unroll 8
    for (std::size_t c = 0; c < Count; ++c)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < search_width; ++v) sum[c][v] = hn::Set(tag, bias[first + c]);
    for (std::size_t j = 0; j < columns; ++j) {
        Lanes x[search_width];
#pragma GCC unroll 2
        for (std::size_t v = 0; v < search_width; ++v) x[v] = hn::LoadU(tag, tile + j * Stride + v * lane_count);
#pragma GCC unroll 8
        for (std::size_t c = 0; c < Count; ++c) {
            const Lanes factor = hn::Set(tag, coefficient[j * Count + c]);
#pragma GCC unroll 2
            for (std::size_t v = 0; v < search_width; ++v) sum[c][v] = hn::MulAdd(factor, x[v], sum[c][v]);
        }
    }
#pragma GCC unroll 8
    for (std::size_t c = 0; c < Count; ++c)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < search_width; ++v) {
            const Lanes score = sum[c][v];
            two[v].second = hn::Max(two[v].second, hn::Min(score, two[v].best));
            two[v].index =
                hn::IfThenElse(hn::Gt(score, two[v].best), hn::Set(tag, static_cast<Real>(first + c)), two[v].index);
            two[v].best = hn::Max(two[v].best, score);
        }
}

template <std::size_t Count, std::size_t Stride, class Tag, class Real = hn::TFromD<Tag>>
HWY_INLINE void search_some(Tag tag, std::size_t count, const Real* tile, std::size_t columns, const Real* coefficient,
                            const Real* bias, std::size_t first, TwoBest<Tag> (&two)[search_width]) {
    if (count == Count) return search_block<Count, Stride>(tag, tile, columns, coefficient, bias, first, two);
    if constexpr (Count > 1) search_some<Count - 1, Stride>(tag, count, tile, columns, coefficient, bias, first, two);
}

// All centres; `two` comes in with the scores to beat.
template <std::size_t Stride, class Tag, class Real = hn::TFromD<Tag>>
HWY_INLINE void search_centres(Tag tag, std::size_t centre_count, const Real* tile, std::size_t columns,
                               const Real* coefficients, const Real* bias, TwoBest<Tag> (&two)[search_width]) {
    const std::size_t block = class_block(centre_count);
    for (std::size_t c = 0; c < centre_count; c += block)
        search_some<wide_block, Stride>(tag, std::min(block, centre_count - c), tile, columns,
                                        coefficients + c * columns, bias, c, two);
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
