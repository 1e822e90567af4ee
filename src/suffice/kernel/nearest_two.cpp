// Searches centres on transposed tiles of rows: the nearest centre is the one with the highest c.x - |c|^2 / 2, and the
// two highest scores never leave the registers.
#include "suffice/kernel/nearest_two.hpp"

#include "suffice/kernel/scratch.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/nearest_two.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

constexpr std::size_t tile_width = 2;
constexpr std::size_t tile_size = tile_width * lanes;

// In order of use: for each block of centres, for each column, for each centre of the block.
void order_centres(const double* centres, std::size_t count, std::size_t columns, double* out) {
    const std::size_t block = class_block(count);
    for (std::size_t c = 0; c < count; c += block)
        for (std::size_t j = 0; j < columns; ++j)
            for (std::size_t i = c; i < std::min(c + block, count); ++i) *out++ = centres[i * columns + j];
}

struct Two {
    Vector best, second, index;
};

template <std::size_t Count>
HWY_INLINE void search_block(const double* tile, std::size_t columns, const double* coefficient, const double* bias,
                             std::size_t first, Two (&two)[tile_width]) {
    Vector sum[Count][tile_width];
#pragma GCC unroll 8
    for (std::size_t c = 0; c < Count; ++c)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < tile_width; ++v) sum[c][v] = broadcast(bias[first + c]);
    for (std::size_t j = 0; j < columns; ++j) {
        Vector x[tile_width];
#pragma GCC unroll 2
        for (std::size_t v = 0; v < tile_width; ++v) x[v] = hn::Load(Doubles(), tile + j * tile_size + v * lanes);
#pragma GCC unroll 8
        for (std::size_t c = 0; c < Count; ++c) {
            const Vector factor = broadcast(coefficient[j * Count + c]);
#pragma GCC unroll 2
            for (std::size_t v = 0; v < tile_width; ++v) sum[c][v] = hn::MulAdd(factor, x[v], sum[c][v]);
        }
    }
#pragma GCC unroll 8
    for (std::size_t c = 0; c < Count; ++c)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < tile_width; ++v) {
            const Vector score = sum[c][v];
            two[v].second = hn::Max(two[v].second, hn::Min(score, two[v].best));
            two[v].index =
                hn::IfThenElse(hn::Gt(score, two[v].best), broadcast(static_cast<double>(first + c)), two[v].index);
            two[v].best = hn::Max(two[v].best, score);
        }
}

template <std::size_t Count>
HWY_INLINE void search_some(std::size_t count, const double* tile, std::size_t columns, const double* coefficient,
                            const double* bias, std::size_t first, Two (&two)[tile_width]) {
    if (count == Count) return search_block<Count>(tile, columns, coefficient, bias, first, two);
    if constexpr (Count > 1) search_some<Count - 1>(count, tile, columns, coefficient, bias, first, two);
}

void search_rows(Rows rows, const double* origin, std::size_t centre_count, const double* coefficients,
                 const double* bias, double* tile, std::int32_t* nearest, double* squared, double* second) {
    const std::size_t d = rows.column_count, block = class_block(centre_count);
    const Doubles tag;
    for (std::size_t r = 0; r < rows.row_count; r += tile_size) {
        pack_tile<tile_width>(rows, r, 0, d, origin, tile);
        Two two[tile_width];
        Vector square[tile_width];
        for (std::size_t v = 0; v < tile_width; ++v) {
            two[v] = {broadcast(-__builtin_inf()), broadcast(-__builtin_inf()), hn::Zero(tag)};
            square[v] = hn::Zero(tag);
        }
        for (std::size_t j = 0; j < d; ++j)
            for (std::size_t v = 0; v < tile_width; ++v) {
                const Vector x = hn::Load(tag, tile + j * tile_size + v * lanes);
                square[v] = hn::MulAdd(x, x, square[v]);
            }
        for (std::size_t c = 0; c < centre_count; c += block)
            search_some<wide_block>(std::min(block, centre_count - c), tile, d, coefficients + c * d, bias, c, two);
        alignas(Scratch::alignment) double index[tile_size], near[tile_size], next[tile_size];
        for (std::size_t v = 0; v < tile_width; ++v) {
            hn::Store(two[v].index, tag, index + v * lanes);
            hn::Store(hn::NegMulAdd(broadcast(2), two[v].best, square[v]), tag, near + v * lanes);
            hn::Store(hn::NegMulAdd(broadcast(2), two[v].second, square[v]), tag, next + v * lanes);
        }
        const std::size_t count = std::min(tile_size, rows.row_count - r);
        for (std::size_t i = 0; i < count; ++i) nearest[r + i] = static_cast<std::int32_t>(index[i]);
        if (squared) std::copy_n(near, count, squared + r);
        if (second) std::copy_n(next, count, second + r);
    }
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(order_centres);
HWY_EXPORT(search_rows);

PackedCentres::PackedCentres(const double* centres, std::size_t centre_count, std::size_t column_count)
    : column_count_(column_count), coefficients_(centre_count * column_count), bias_(centre_count) {
    HWY_DYNAMIC_DISPATCH(order_centres)(centres, centre_count, column_count, coefficients_.data());
    for (std::size_t c = 0; c < centre_count; ++c) {
        double square = 0;
        for (std::size_t j = 0; j < column_count; ++j)
            square += centres[c * column_count + j] * centres[c * column_count + j];
        bias_[c] = -square / 2;
    }
}

void nearest_two(Rows rows, const double* origin, const PackedCentres& centres, std::int32_t* nearest,
                 double* squared_distance, double* second) {
    constexpr std::size_t largest_tile = 16;
    if (rows.row_count == 0) return;
    Scratch memory;
    HWY_DYNAMIC_DISPATCH(search_rows)
    (rows, origin, centres.centre_count(), centres.coefficients(), centres.bias(),
     memory.reserve(rows.column_count * largest_tile), nearest, squared_distance, second);
}
}  // namespace suffice::kernel
#endif
