// Keeps the common part of a row in registers while it meets the row's other entries.
#include "suffice/kernel/thin_rows.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/thin_rows.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

// to += factor * c
template <std::size_t vectors>
HWY_INLINE void add_scaled(double factor, const Vector* c, double* to) {
    const Vector f = broadcast(factor);
#pragma GCC unroll 8
    for (std::size_t v = 0; v < vectors; ++v) store(hn::MulAdd(f, c[v], load(to + v * lanes)), to + v * lanes);
}

template <std::size_t vectors>
HWY_INLINE void read_common(const double* from, Vector* c) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < vectors; ++v) c[v] = load(from + v * lanes);
}

template <std::size_t vectors>
void sum_rows(const ThinRows& rows, const double* factor, double* common, double* other) {
    constexpr std::size_t width = vectors * lanes;
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        const double f = factor[row];
        if (f == 0) continue;
        Vector c[vectors];
        read_common<vectors>(rows.common + row * width, c);
        add_scaled<vectors>(f, c, common);
        for (std::size_t e = rows.row_start[row]; e < rows.row_start[row + 1]; ++e)
            other[rows.column[e]] += f * rows.value[e];
    }
}

template <std::size_t vectors>
void square_rows(const ThinRows& rows, const double* factor, std::size_t column_count, double* own, double* across,
                 double* square) {
    constexpr std::size_t width = vectors * lanes;
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        const double f = factor[row];
        if (f == 0) continue;
        const double* common = rows.common + row * width;
        Vector c[vectors];
        read_common<vectors>(common, c);
        for (std::size_t i = 0; i < width; ++i) add_scaled<vectors>(f * common[i], c, own + i * width);
        const std::uint32_t* column = rows.column + rows.row_start[row];
        const double* value = rows.value + rows.row_start[row];
        const std::size_t count = rows.row_start[row + 1] - rows.row_start[row];
        for (std::size_t a = 0; a < count; ++a) {
            const double share = f * value[a];
            add_scaled<vectors>(share, c, across + column[a] * width);
            double* line = square + column[a] * column_count;
            for (std::size_t b = 0; b <= a; ++b) line[column[b]] += share * value[b];
        }
    }
}

void AddThin(const ThinRows& rows, const double* factor, double* common, double* other) {
    constexpr std::size_t step = 8 / lanes;
    switch (rows.width) {
        case 8:
            return sum_rows<step>(rows, factor, common, other);
        case 16:
            return sum_rows<2 * step>(rows, factor, common, other);
        case 24:
            return sum_rows<3 * step>(rows, factor, common, other);
        default:
            return sum_rows<4 * step>(rows, factor, common, other);
    }
}

void AddThinSquares(const ThinRows& rows, const double* factor, std::size_t column_count, double* own, double* across,
                    double* square) {
    constexpr std::size_t step = 8 / lanes;
    switch (rows.width) {
        case 8:
            return square_rows<step>(rows, factor, column_count, own, across, square);
        case 16:
            return square_rows<2 * step>(rows, factor, column_count, own, across, square);
        case 24:
            return square_rows<3 * step>(rows, factor, column_count, own, across, square);
        default:
            return square_rows<4 * step>(rows, factor, column_count, own, across, square);
    }
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(AddThin);
HWY_EXPORT(AddThinSquares);

void add_thin(const ThinRows& rows, const double* factor, double* common, double* other) {
    HWY_DYNAMIC_DISPATCH(AddThin)(rows, factor, common, other);
}

void add_thin_squares(const ThinRows& rows, const double* factor, std::size_t column_count, double* own, double* across,
                      double* square) {
    HWY_DYNAMIC_DISPATCH(AddThinSquares)(rows, factor, column_count, own, across, square);
}
}  // namespace suffice::kernel
#endif
