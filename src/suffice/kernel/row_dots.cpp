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

constexpr std::size_t most_held = 8;  // vectors of weights that fit in the registers

// Of few columns, so that the weights stay in `held` vectors: rows one after the other.
// take(first row, how many rows, bias + weight . x in as many lanes); past the end the last row comes once more.
template <std::size_t held, class Number, class Take>
void short_rows(const RowsOf<Number>& rows, const double* weight, double bias, const Take& take) {
    constexpr std::size_t line = 64 / sizeof(Number), whole = held - 1;
    const Doubles d;
    const std::size_t left = rows.column_count - whole * lanes;  // for the last vector
    const auto ahead = distance_ahead(rows);
    Vector w[held];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < whole; ++v) w[v] = load(weight + v * lanes);
    w[whole] = load_some(weight + whole * lanes, left);
    for (std::size_t first = 0; first < rows.row_count; first += lanes) {
        Vector part[lanes];
#pragma GCC unroll 8
        for (std::size_t i = 0; i < lanes; ++i) {
            const Number* row = rows.row(std::min(first + i, rows.row_count - 1));
#pragma GCC unroll 8
            for (std::size_t j = 0; j < held * lanes; j += line) prefetch(row + j, ahead);
            Vector even = hn::Mul(w[whole], load_some(row + whole * lanes, left)), odd = hn::Zero(d);
#pragma GCC unroll 8
            for (std::size_t v = 0; v < whole; ++v) {
                Vector& sum = v % 2 == 0 ? odd : even;
                sum = hn::MulAdd(w[v], load_as(d, row + v * lanes), sum);
            }
            part[i] = whole == 0 ? even : hn::Add(even, odd);
        }
        take(first, std::min(lanes, rows.row_count - first), hn::Add(broadcast(bias), sum_each(part)));
    }
}

constexpr std::size_t together = std::min<std::size_t>(lanes, 4);  // rows that share a weight once it is loaded

// part[i]: lanes that together make up weight . row[i].
template <class Number>
HWY_INLINE void partial_sums(const Number* const* row, std::size_t columns, const double* weight, std::ptrdiff_t ahead,
                             Vector* part) {
    constexpr std::size_t line = 64 / sizeof(Number);
    const Doubles d;
    Vector sum[together];
#pragma GCC unroll 4
    for (std::size_t i = 0; i < together; ++i) sum[i] = hn::Zero(d);
    for (std::size_t j = 0; j < columns; j += lanes) {
        if (j % line == 0)
#pragma GCC unroll 4
            for (std::size_t i = 0; i < together; ++i) prefetch(row[i] + j, ahead);
        const std::size_t left = columns - j;
        if (HWY_LIKELY(left >= lanes)) {
            const Vector w = load(weight + j);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < together; ++i) sum[i] = hn::MulAdd(load_as(d, row[i] + j), w, sum[i]);
        } else {
            const Vector w = load_some(weight + j, left);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < together; ++i) sum[i] = hn::MulAdd(load_some(row[i] + j, left), w, sum[i]);
        }
    }
#pragma GCC unroll 4
    for (std::size_t i = 0; i < together; ++i) part[i] = sum[i];
}

// The same of any number of columns.
template <class Number, class Take>
void long_rows(const RowsOf<Number>& rows, const double* weight, double bias, const Take& take) {
    const auto ahead = distance_ahead(rows);
    for (std::size_t first = 0; first < rows.row_count; first += lanes) {
        Vector part[lanes];
#pragma GCC unroll 2
        for (std::size_t i = 0; i < lanes; i += together) {
            const Number* row[together];
            for (std::size_t r = 0; r < together; ++r) row[r] = rows.row(std::min(first + i + r, rows.row_count - 1));
            partial_sums(row, rows.column_count, weight, ahead, part + i);
        }
        take(first, std::min(lanes, rows.row_count - first), hn::Add(broadcast(bias), sum_each(part)));
    }
}

template <std::size_t held, class... Arguments>
HWY_INLINE void rows_of_width(std::size_t vectors, const Arguments&... arguments) {
    if (vectors == held) return short_rows<held>(arguments...);
    if constexpr (held > 1)
        rows_of_width<held - 1>(vectors, arguments...);
    else
        long_rows(arguments...);
}

template <class Number>
void dots(const RowsOf<Number>& rows, const double* weight, double bias, double* out) {
    const auto take = [&](std::size_t first, std::size_t count, Vector dot) HWY_ATTR {
        if (HWY_LIKELY(count == lanes)) return store(dot, out + first);
        double buffer[lanes];
        store(dot, buffer);
        std::copy_n(buffer, count, out + first);
    };
    rows_of_width<most_held>((rows.column_count + lanes - 1) / lanes, rows, weight, bias, take);
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
