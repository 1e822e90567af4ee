// Searches centres on transposed tiles of rows: the nearest centre is the one with the highest c.x - |c|^2 / 2.
#include "suffice/kernel/nearest_two.hpp"

#include "suffice/kernel/scratch.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/nearest_two.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/search-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

constexpr std::size_t tile_size = search_width * lanes;

void order_wide(const double* centres, std::size_t count, std::size_t columns, double* out) {
    order_centres(centres, count, columns, 1, out);
}

void search_rows(Rows rows, const double* origin, std::size_t centre_count, const double* coefficients,
                 const double* bias, double* tile, std::int32_t* nearest, double* squared, double* second) {
    const std::size_t d = rows.column_count;
    const Doubles tag;
    for (std::size_t r = 0; r < rows.row_count; r += tile_size) {
        pack_tile<search_width>(rows, r, 0, d, origin, tile);
        TwoBest<Doubles> two[search_width];
        Vector square[search_width];
        for (std::size_t v = 0; v < search_width; ++v) {
            two[v] = {broadcast(-__builtin_inf()), broadcast(-__builtin_inf()), hn::Zero(tag)};
            square[v] = hn::Zero(tag);
        }
        for (std::size_t j = 0; j < d; ++j)
            for (std::size_t v = 0; v < search_width; ++v) {
                const Vector x = hn::Load(tag, tile + j * tile_size + v * lanes);
                square[v] = hn::MulAdd(x, x, square[v]);
            }
        search_centres<tile_size>(tag, centre_count, tile, d, coefficients, bias, two);
        alignas(Scratch::alignment) double index[tile_size], near[tile_size], next[tile_size];
        for (std::size_t v = 0; v < search_width; ++v) {
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
HWY_EXPORT(order_wide);
HWY_EXPORT(search_rows);

PackedCentres::PackedCentres(const double* centres, std::size_t centre_count, std::size_t column_count)
    : column_count_(column_count), coefficients_(centre_count * column_count), bias_(centre_count) {
    HWY_DYNAMIC_DISPATCH(order_wide)(centres, centre_count, column_count, coefficients_.data());
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
