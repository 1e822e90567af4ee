// Rows are read in the order in which they lie, each into one vector of partial sums; as many of those as a vector has
// lanes are then summed together.
#include "suffice/kernel/row_dots.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/row_dots.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

constexpr std::size_t bytes_ahead = 4096;  // one page: further is no quicker

// Lane i: the sum of all lanes of part[i].
HWY_INLINE Vector sum_each(const Vector* part) {
    const Doubles d;
#if HWY_TARGET == HWY_SCALAR
    (void)d;
    return part[0];
#else
    constexpr std::size_t half = lanes / 2;
    Vector pair[half];  // of two vectors: blocks of two lanes, each with a share of either sum
#pragma GCC unroll 4
    for (std::size_t i = 0; i < half; ++i)
        pair[i] = hn::Add(hn::InterleaveLower(d, part[2 * i], part[2 * i + 1]),
                          hn::InterleaveUpper(d, part[2 * i], part[2 * i + 1]));
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    const auto even = [](Vector a, Vector b)
                          HWY_ATTR { return Vector{__builtin_shufflevector(a.raw, b.raw, 0, 1, 4, 5, 8, 9, 12, 13)}; };
    const auto odd = [](Vector a, Vector b)
                         HWY_ATTR { return Vector{__builtin_shufflevector(a.raw, b.raw, 2, 3, 6, 7, 10, 11, 14, 15)}; };
    const Vector low = hn::Add(even(pair[0], pair[1]), odd(pair[0], pair[1]));
    const Vector high = hn::Add(even(pair[2], pair[3]), odd(pair[2], pair[3]));
    return hn::Add(even(low, high), odd(low, high));
#elif HWY_TARGET == HWY_AVX2
    return hn::Add(hn::ConcatLowerLower(d, pair[1], pair[0]), hn::ConcatUpperUpper(d, pair[1], pair[0]));
#else
    static_assert(lanes == 2);
    return pair[0];
#endif
#endif
}

// Lanes that together make up weight . row.
template <class Number>
HWY_INLINE Vector partial_sums(const Number* row, std::size_t columns, const double* weight, std::ptrdiff_t ahead) {
    constexpr std::size_t line = 64 / sizeof(Number);
    const Doubles d;
    Vector even = hn::Zero(d), odd = hn::Zero(d);
    std::size_t j = 0;
    for (; j + 2 * lanes <= columns; j += 2 * lanes) {
        if (j % line == 0) prefetch(row + j, ahead);
        if constexpr (2 * lanes > line) prefetch(row + j + lanes, ahead);
        even = hn::MulAdd(load_as(d, row + j), load(weight + j), even);
        odd = hn::MulAdd(load_as(d, row + j + lanes), load(weight + j + lanes), odd);
    }
    for (; j < columns; j += lanes) {
        if (j % line == 0) prefetch(row + j, ahead);
        if (j + lanes <= columns)
            even = hn::MulAdd(load_as(d, row + j), load(weight + j), even);
        else
            odd = hn::MulAdd(load_some(row + j, columns - j), load_some(weight + j, columns - j), odd);
    }
    return hn::Add(even, odd);
}

template <class Number>
void dots(const RowsOf<Number>& rows, const double* weight, double bias, double* out) {
    const std::size_t row_bytes = std::max<std::size_t>(1, rows.column_count * sizeof(Number));
    const auto ahead = static_cast<std::ptrdiff_t>((bytes_ahead + row_bytes - 1) / row_bytes) * rows.stride;
    for (std::size_t first = 0; first < rows.row_count; first += lanes) {
        Vector part[lanes];
        for (std::size_t i = 0; i < lanes; ++i)  // past the end: the last row once more
            part[i] = partial_sums(rows.row(std::min(first + i, rows.row_count - 1)), rows.column_count, weight, ahead);
        const Vector sum = hn::Add(broadcast(bias), sum_each(part));
        if (first + lanes <= rows.row_count) {
            store(sum, out + first);
        } else {
            double buffer[lanes];
            store(sum, buffer);
            std::copy_n(buffer, rows.row_count - first, out + first);
        }
    }
}

void DotsOfDoubles(const Rows& rows, const double* weight, double bias, double* out) { dots(rows, weight, bias, out); }
void DotsOfFloats(const FloatRows& rows, const double* weight, double bias, double* out) {
    dots(rows, weight, bias, out);
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(DotsOfDoubles);
HWY_EXPORT(DotsOfFloats);

void row_dots(Rows rows, const double* weight, double bias, double* out) {
    HWY_DYNAMIC_DISPATCH(DotsOfDoubles)(rows, weight, bias, out);
}

void row_dots(FloatRows rows, const double* weight, double bias, double* out) {
    HWY_DYNAMIC_DISPATCH(DotsOfFloats)(rows, weight, bias, out);
}
}  // namespace suffice::kernel
#endif
