// What the vector kernels share: exponential, logarithm, transposition and the transposed tile of rows.
// Compiled once per instruction set, so the guard follows Highway's toggle instead of `#pragma once`.
#if defined(SUFFICE_KERNEL_VECTOR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SUFFICE_KERNEL_VECTOR_INL
#undef SUFFICE_KERNEL_VECTOR_INL
#else
#define SUFFICE_KERNEL_VECTOR_INL
#endif

// clang-format off
#include "suffice/kernel/targets.hpp"
#include <hwy/highway.h>
// clang-format on
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "suffice/kernel/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;
constexpr std::size_t lanes = HWY_LANES(double);
constexpr std::size_t wide_block = lanes == 8 ? 8 : 6;  // accumulators of two vectors that fit in the registers

// Classes taken together: as many as fit, and no small remainder that would wait for its own sums.
HWY_INLINE std::size_t class_block(std::size_t class_count) {
    const std::size_t blocks = (class_count + wide_block - 1) / wide_block;
    return blocks == 0 ? 1 : (class_count + blocks - 1) / blocks;
}

HWY_INLINE Vector load(const double* from) { return hn::LoadU(Doubles(), from); }
HWY_INLINE void store(Vector value, double* to) { hn::StoreU(value, Doubles(), to); }
HWY_INLINE Vector broadcast(double value) { return hn::Set(Doubles(), value); }

// exp for any x: reduction by ln 2 in two words (Cody and Waite), a polynomial of degree 11, the exponent added to the
// bits. Below -708 it is 0, so no denormal is made. `Safe` also keeps NaN and gives +inf above the range; without it
// x must be a number not above 709.
template <bool Safe, class D, class V = hn::Vec<D>>
HWY_INLINE V exponential(D d, V x) {
    const hn::RebindToSigned<D> di;
    const V magic = hn::Set(d, 6755399441055744.0);
    const V shifted = hn::MulAdd(x, hn::Set(d, 1.4426950408889634074), magic);
    const V k = hn::Sub(shifted, magic);
    V r = hn::NegMulAdd(k, hn::Set(d, 6.93147180369123816490e-01), x);
    r = hn::NegMulAdd(k, hn::Set(d, 1.90821492927058770002e-10), r);
    const V r2 = hn::Mul(r, r), r4 = hn::Mul(r2, r2), r8 = hn::Mul(r4, r4);
    const V p23 = hn::MulAdd(r, hn::Set(d, 0.1666666666666668), hn::Set(d, 0.5000000000000019));
    const V p45 = hn::MulAdd(r, hn::Set(d, 0.008333333333319589), hn::Set(d, 0.04166666666648795));
    const V p67 = hn::MulAdd(r, hn::Set(d, 0.00019841269890076403), hn::Set(d, 0.0013888888952352863));
    const V p89 = hn::MulAdd(r, hn::Set(d, 2.755724088722987e-06), hn::Set(d, 2.4801485441561313e-05));
    const V pab = hn::MulAdd(r, hn::Set(d, 2.5110049204818658e-08), hn::Set(d, 2.763265472252779e-07));
    const V middle = hn::MulAdd(r2, p67, p45), high = hn::MulAdd(r2, pab, p89);
    const V above = hn::MulAdd(r8, high, hn::MulAdd(r4, middle, hn::Mul(r2, p23)));
    const V p = hn::Add(hn::Set(d, 1.0), hn::Add(r, above));  // the large terms last, for half an ulp less
    const V scaled = hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<52>(hn::BitCast(di, shifted))));
    if constexpr (Safe) {
        const V infinity = hn::Set(d, __builtin_inf());
        V result = hn::IfThenElse(hn::Gt(x, hn::Set(d, 709.782712893384)), infinity, scaled);
        result = hn::IfThenElse(hn::Ge(x, hn::Set(d, -708.0)), result, hn::Zero(d));
        return hn::IfThenElse(hn::Eq(x, x), result, x);
    } else {
        return hn::IfThenElseZero(hn::Ge(x, hn::Set(d, -708.0)), scaled);
    }
}

// log for any x, after fdlibm's e_log.c: x = 2^k (1 + f), s = f / (2 + f), an even polynomial in s.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V logarithm(D d, V x) {
    const hn::RebindToSigned<D> di;
    const V one = hn::Set(d, 1.0);
    const auto tiny = hn::Lt(x, hn::Set(d, 2.2250738585072014e-308));
    const V scaled = hn::IfThenElse(tiny, hn::Mul(x, hn::Set(d, 0x1p54)), x);
    // Adding moves the mantissa's wrap-around to sqrt(1/2), so that 1 + f lies in [sqrt(1/2), sqrt(2)).
    const auto bits =
        hn::Add(hn::BitCast(di, scaled), hn::Set(di, std::int64_t{0x3ff0000000000000 - 0x3fe6a09e667f3bcd}));
    const auto exponent = hn::Sub(hn::ShiftRight<52>(bits), hn::Set(di, std::int64_t{1023}));
    const auto mantissa = hn::Add(hn::And(bits, hn::Set(di, std::int64_t{0x000fffffffffffff})),
                                  hn::Set(di, std::int64_t{0x3fe6a09e667f3bcd}));
    // A small integer in a double: its bits added to those of 1.5 * 2^52.
    const V magic = hn::Set(d, 6755399441055744.0);
    V k = hn::Sub(hn::BitCast(d, hn::Add(exponent, hn::BitCast(di, magic))), magic);
    k = hn::Sub(k, hn::IfThenElseZero(tiny, hn::Set(d, 54.0)));
    const V f = hn::Sub(hn::BitCast(d, mantissa), one);
    const V s = hn::Div(f, hn::Add(f, hn::Set(d, 2.0)));
    const V z = hn::Mul(s, s), w = hn::Mul(z, z);
    V even = hn::MulAdd(w, hn::Set(d, 1.531383769920937332e-01), hn::Set(d, 2.222219843214978396e-01));
    even = hn::MulAdd(w, even, hn::Set(d, 3.999999999940941908e-01));
    V odd = hn::MulAdd(w, hn::Set(d, 1.479819860511658591e-01), hn::Set(d, 1.818357216161805012e-01));
    odd = hn::MulAdd(w, odd, hn::Set(d, 2.857142874366239149e-01));
    odd = hn::MulAdd(w, odd, hn::Set(d, 6.666666666666735130e-01));
    const V rest = hn::MulAdd(z, odd, hn::Mul(w, even));
    const V half = hn::Mul(hn::Mul(f, f), hn::Set(d, 0.5));
    const V low = hn::MulAdd(s, hn::Add(half, rest), hn::Mul(k, hn::Set(d, 1.90821492927058770002e-10)));
    V result = hn::MulAdd(k, hn::Set(d, 6.93147180369123816490e-01), hn::Sub(f, hn::Sub(half, low)));
    const V infinity = hn::Set(d, __builtin_inf());
    result = hn::IfThenElse(hn::Lt(x, infinity), result, x);  // +inf and NaN stay
    result = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(infinity), result);
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Set(d, __builtin_nan("")), result);
}

// Doubles as they are, floats widened.
template <class D, class Number>
HWY_INLINE hn::Vec<D> load_as(D d, const Number* from) {
    if constexpr (sizeof(Number) == sizeof(double))
        return hn::LoadU(d, from);
    else
        return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Number, D>(), from));
}

// Columns j .. j + 3 of `lanes` rows, one vector per column.
template <class Number>
HWY_INLINE void load_columns(const Number* const* row, std::size_t j, Vector* out) {
    const Doubles d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    const hn::Half<Doubles> half;
    const auto two = [&](std::size_t a, std::size_t b)
                         HWY_ATTR { return hn::Combine(d, load_as(half, row[b] + j), load_as(half, row[a] + j)); };
    const Vector r0 = two(0, 4), r1 = two(1, 5), r2 = two(2, 6), r3 = two(3, 7);
    const Vector a = hn::InterleaveLower(d, r0, r1), b = hn::InterleaveUpper(d, r0, r1);
    const Vector e = hn::InterleaveLower(d, r2, r3), f = hn::InterleaveUpper(d, r2, r3);
    out[0] = Vector{__builtin_shufflevector(a.raw, e.raw, 0, 1, 8, 9, 4, 5, 12, 13)};
    out[1] = Vector{__builtin_shufflevector(b.raw, f.raw, 0, 1, 8, 9, 4, 5, 12, 13)};
    out[2] = Vector{__builtin_shufflevector(a.raw, e.raw, 2, 3, 10, 11, 6, 7, 14, 15)};
    out[3] = Vector{__builtin_shufflevector(b.raw, f.raw, 2, 3, 10, 11, 6, 7, 14, 15)};
#elif HWY_TARGET == HWY_AVX2
    const Vector r0 = load_as(d, row[0] + j), r1 = load_as(d, row[1] + j);
    const Vector r2 = load_as(d, row[2] + j), r3 = load_as(d, row[3] + j);
    const Vector a = hn::InterleaveLower(d, r0, r1), b = hn::InterleaveUpper(d, r0, r1);
    const Vector e = hn::InterleaveLower(d, r2, r3), f = hn::InterleaveUpper(d, r2, r3);
    out[0] = hn::ConcatLowerLower(d, e, a);
    out[1] = hn::ConcatLowerLower(d, f, b);
    out[2] = hn::ConcatUpperUpper(d, e, a);
    out[3] = hn::ConcatUpperUpper(d, f, b);
#elif HWY_TARGET == HWY_SCALAR
    for (std::size_t i = 0; i < 4; ++i) out[i] = load_as(d, row[0] + j + i);
#else
    static_assert(lanes == 2);
    for (std::size_t i = 0; i < 4; i += 2) {
        const Vector r0 = load_as(d, row[0] + j + i), r1 = load_as(d, row[1] + j + i);
        out[i] = hn::InterleaveLower(d, r0, r1);
        out[i + 1] = hn::InterleaveUpper(d, r0, r1);
    }
#endif
}

// Rows this far ahead are asked for: the strided reads of a transposition are beyond the hardware's foresight. Into the
// second cache, because in the first they would push out the tile.
constexpr std::ptrdiff_t prefetch_rows = 48;

template <class Number>
HWY_INLINE void prefetch(const Number* from, std::ptrdiff_t offset) {
    __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(from) +
                                                     static_cast<std::uintptr_t>(offset) * sizeof(Number)),
                       0, 2);
}

// The transposed tile: out[(j - first_column) * T + t] = x_tj - centre_j for T = Width * lanes rows from first_row on,
// rows past the end repeating the last one. Partial groups of columns overlap the group before, so nothing is masked.
template <std::size_t Width, class Number>
HWY_INLINE void pack_tile(const RowsOf<Number>& rows, std::size_t first_row, std::size_t first_column,
                          std::size_t columns, const double* centre, double* out) {
    constexpr std::size_t T = Width * lanes, line = 64 / sizeof(Number);
    const bool packed = rows.stride == static_cast<std::ptrdiff_t>(rows.column_count);
    for (std::size_t group = 0; group < T; group += lanes) {
        const Number* row[lanes];
        for (std::size_t i = 0; i < lanes; ++i)
            row[i] = rows.row(std::min(first_row + group + i, rows.row_count - 1)) + first_column;
        const Number* ahead = row[0];
        if (columns < 4) {
            for (std::size_t j = 0; j < columns; ++j)
                for (std::size_t i = 0; i < lanes; ++i)
                    out[j * T + group + i] = static_cast<double>(row[i][j]) - centre[first_column + j];
            continue;
        }
        for (std::size_t j = 0; j < columns; j += 4) {
            const std::size_t from = std::min(j, columns - 4);
            Vector column[4];
            load_columns(row, from, column);
            if (packed) {  // the next rows lie in one piece: so many lines per step cover them
                constexpr std::size_t lines = std::max<std::size_t>(1, 4 * lanes / line);
                const auto step = prefetch_rows * rows.stride + static_cast<std::ptrdiff_t>(j * lanes);
                for (std::size_t i = 0; i < lines; ++i) prefetch(ahead, step + static_cast<std::ptrdiff_t>(line * i));
            } else if (j % line == 0) {
                for (std::size_t i = 0; i < lanes; ++i)
                    prefetch(row[i], prefetch_rows * rows.stride + static_cast<std::ptrdiff_t>(j));
            }
            for (std::size_t i = 0; i < 4; ++i)
                store(hn::Sub(column[i], broadcast(centre[first_column + from + i])), out + (from + i) * T + group);
        }
    }
}

// The first `count` numbers and zeros after them; nothing beyond is read.
HWY_INLINE Vector load_some(const double* from, std::size_t count) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX2
    return hn::MaskedLoad(hn::FirstN(Doubles(), count), Doubles(), from);
#else  // here Highway's masked load reads the whole vector
    double buffer[lanes] = {};
    for (std::size_t i = 0; i < std::min(count, lanes); ++i) buffer[i] = from[i];
    return load(buffer);
#endif
}

HWY_INLINE Vector load_some(const float* from, std::size_t count) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX2
    const hn::Rebind<float, Doubles> floats;
    return hn::PromoteTo(Doubles(), hn::MaskedLoad(hn::FirstN(floats, count), floats, from));
#else
    double buffer[lanes] = {};
    for (std::size_t i = 0; i < std::min(count, lanes); ++i) buffer[i] = static_cast<double>(from[i]);
    return load(buffer);
#endif
}

// to[0 .. count) += value, lane by lane.
HWY_INLINE void add_lanes(Vector value, double* to, std::size_t count) {
    if (count >= lanes) return store(hn::Add(load(to), value), to);
    double buffer[lanes];
    store(value, buffer);
    for (std::size_t i = 0; i < count; ++i) to[i] += buffer[i];
}

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

constexpr std::size_t bytes_ahead = 4096;  // one page: further is no quicker

// How far ahead rows are fetched, in numbers.
template <class Number>
HWY_INLINE std::ptrdiff_t distance_ahead(const RowsOf<Number>& rows) {
    const std::size_t row_bytes = std::max<std::size_t>(1, rows.column_count * sizeof(Number));
    return static_cast<std::ptrdiff_t>((bytes_ahead + row_bytes - 1) / row_bytes) * rows.stride;
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
