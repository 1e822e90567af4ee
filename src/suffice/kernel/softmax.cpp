// From class scores to posteriors: lanes are rows, so maxima and sums over classes are vertical.
#include "suffice/kernel/softmax.hpp"

#include <cmath>

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/softmax.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

using OneLane = hn::CappedTag<double, 1>;  // for the rows after the last whole vector: same steps, same bits

// The highest score, or 0 where every score is -inf.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V top_score(D d, const Tile& tile, std::size_t row) {
    V top = hn::LoadU(d, tile.values + row);
    for (std::size_t c = 1; c < tile.class_count; ++c) top = hn::Max(top, hn::LoadU(d, tile.of_class(c) + row));
    return hn::IfThenElse(hn::Eq(top, hn::Set(d, -__builtin_inf())), hn::Zero(d), top);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE void softmax_rows(D d, const Tile& tile, std::size_t row, double* log_evidence) {
    const V top = top_score(d, tile, row);
    V sum = hn::Zero(d);
    for (std::size_t c = 0; c < tile.class_count; ++c) {
        double* at = tile.of_class(c) + row;
        const V term = exponential<true>(d, hn::Sub(hn::LoadU(d, at), top));
        hn::StoreU(term, d, at);
        sum = hn::Add(sum, term);
    }
    if (log_evidence) hn::StoreU(hn::Add(top, logarithm(d, sum)), d, log_evidence + row);
    const V inverse = hn::Div(hn::Set(d, 1.0), sum);
    const auto nowhere = hn::Eq(sum, hn::Zero(d));
    for (std::size_t c = 0; c < tile.class_count; ++c) {
        double* at = tile.of_class(c) + row;
        hn::StoreU(hn::Mul(hn::LoadU(d, at), inverse), d, at);
    }
    if (HWY_LIKELY(hn::AllFalse(d, nowhere))) return;
    const V uniform = hn::Set(d, 1.0 / static_cast<double>(tile.class_count));
    for (std::size_t c = 0; c < tile.class_count; ++c) {
        double* at = tile.of_class(c) + row;
        hn::StoreU(hn::IfThenElse(nowhere, uniform, hn::LoadU(d, at)), d, at);
    }
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE void log_softmax_rows(D d, const Tile& tile, std::size_t row, double* log_evidence) {
    const V top = top_score(d, tile, row);
    V sum = hn::Zero(d);
    for (std::size_t c = 0; c < tile.class_count; ++c)
        sum = hn::Add(sum, exponential<true>(d, hn::Sub(hn::LoadU(d, tile.of_class(c) + row), top)));
    const V evidence = hn::Add(top, logarithm(d, sum));
    if (log_evidence) hn::StoreU(evidence, d, log_evidence + row);
    const auto nowhere = hn::Eq(sum, hn::Zero(d));
    const V uniform = hn::Set(d, -std::log(static_cast<double>(tile.class_count)));
    for (std::size_t c = 0; c < tile.class_count; ++c) {
        double* at = tile.of_class(c) + row;
        hn::StoreU(hn::IfThenElse(nowhere, uniform, hn::Sub(hn::LoadU(d, at), evidence)), d, at);
    }
}

// The posteriors of two classes by turns, from the second's score less the first's. With e = exp(-|difference|), the
// likelier class has 1 / (1 + e) and the other e / (1 + e): the steps of softmax.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void two_classes(D d, V difference, double* out) {
    const V e = exponential<true>(d, hn::Neg(hn::Abs(difference)));
    const V likelier = hn::Div(hn::Set(d, 1.0), hn::Add(e, hn::Set(d, 1.0))), other = hn::Mul(e, likelier);
    const auto second = hn::Ge(difference, hn::Zero(d));
    const V first_class = hn::IfThenElse(second, other, likelier);
    const V second_class = hn::IfThenElse(second, likelier, other);
    hn::StoreInterleaved2(first_class, second_class, d, out);
}

void two_posteriors_of(const double* difference, std::size_t count, double* out) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) two_classes(Doubles(), load(difference + i), out + 2 * i);
    for (; i < count; ++i) two_classes(OneLane(), hn::LoadU(OneLane(), difference + i), out + 2 * i);
}

void softmax_tile(Tile tile, double* log_evidence) {
    if (tile.class_count == 0) return;
    std::size_t row = 0;
    for (; row + lanes <= tile.row_count; row += lanes) softmax_rows(Doubles(), tile, row, log_evidence);
    for (; row < tile.row_count; ++row) softmax_rows(OneLane(), tile, row, log_evidence);
}

void log_softmax_tile(Tile tile, double* log_evidence) {
    if (tile.class_count == 0) return;
    std::size_t row = 0;
    for (; row + lanes <= tile.row_count; row += lanes) log_softmax_rows(Doubles(), tile, row, log_evidence);
    for (; row < tile.row_count; ++row) log_softmax_rows(OneLane(), tile, row, log_evidence);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE void argmax_rows(D d, const Tile& tile, std::size_t row, std::int32_t* index) {
    V top = hn::Set(d, -__builtin_inf()), best = hn::Zero(d);
    for (std::size_t c = 0; c < tile.class_count; ++c) {
        const V score = hn::LoadU(d, tile.of_class(c) + row);
        const auto higher = hn::Gt(score, top);
        top = hn::IfThenElse(higher, score, top);
        best = hn::IfThenElse(higher, hn::Set(d, static_cast<double>(c)), best);
    }
    double found[lanes];
    hn::StoreU(best, d, found);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) index[row + i] = static_cast<std::int32_t>(found[i]);
}

void argmax_tile(Tile tile, std::int32_t* index) {
    std::size_t row = 0;
    for (; row + lanes <= tile.row_count; row += lanes) argmax_rows(Doubles(), tile, row, index);
    for (; row < tile.row_count; ++row) argmax_rows(OneLane(), tile, row, index);
}

// A square of vectors, in registers.
HWY_INLINE void transpose_square(Vector* v) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    const Doubles d;
    Vector t[8], u[8];
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 8; i += 2) {
        t[i] = hn::InterleaveLower(d, v[i], v[i + 1]);
        t[i + 1] = hn::InterleaveUpper(d, v[i], v[i + 1]);
    }
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t a = i / 2 * 4 + i % 2;
        u[a] = Vector{__builtin_shufflevector(t[a].raw, t[a + 2].raw, 0, 1, 8, 9, 4, 5, 12, 13)};
        u[a + 2] = Vector{__builtin_shufflevector(t[a].raw, t[a + 2].raw, 2, 3, 10, 11, 6, 7, 14, 15)};
    }
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i) {
        v[i] = hn::ConcatLowerLower(d, u[i + 4], u[i]);
        v[i + 4] = hn::ConcatUpperUpper(d, u[i + 4], u[i]);
    }
#elif HWY_TARGET == HWY_SCALAR
    (void)v;
#else
    const double* row[lanes];
    alignas(64) double square[lanes * 4] = {};
    for (std::size_t i = 0; i < lanes; ++i) {
        row[i] = square + i * 4;
        store(v[i], square + i * 4);
    }
    Vector column[4];
    load_columns(row, 0, column);
    for (std::size_t i = 0; i < lanes; ++i) v[i] = column[i];
#endif
}

// A row's surplus lanes land on the classes after it, which are written later: hence the last group of classes first,
// and the last rows one by one.
void transpose_tile(Tile tile, double* out, std::ptrdiff_t out_stride) {
    const std::size_t k = tile.class_count;
    const bool dense = out_stride == static_cast<std::ptrdiff_t>(k);
    const std::size_t surplus = k % lanes == 0 ? 0 : lanes - k % lanes;
    std::size_t row = 0;
    if (dense && k == 2)  // every second number from either class
        for (; row + lanes <= tile.row_count; row += lanes)
            hn::StoreInterleaved2(load(tile.of_class(0) + row), load(tile.of_class(1) + row), Doubles(), out + 2 * row);
    for (; (dense || surplus == 0) && k > 0 && row + lanes + (surplus + k - 1) / k <= tile.row_count; row += lanes)
        for (std::size_t c = (k - 1) / lanes * lanes;; c -= lanes) {
            Vector v[lanes];
#pragma GCC unroll 8
            for (std::size_t i = 0; i < lanes; ++i)
                v[i] = c + i < k ? load(tile.of_class(c + i) + row) : hn::Zero(Doubles());
            transpose_square(v);
            double* to = out + static_cast<std::ptrdiff_t>(row) * out_stride + c;
#pragma GCC unroll 8
            for (std::size_t i = 0; i < lanes; ++i) store(v[i], to + static_cast<std::ptrdiff_t>(i) * out_stride);
            if (c == 0) break;
        }
    for (; row < tile.row_count; ++row)
        for (std::size_t c = 0; c < k; ++c)
            out[static_cast<std::ptrdiff_t>(row) * out_stride + static_cast<std::ptrdiff_t>(c)] = tile.of_class(c)[row];
}

void exp_all(double* values, std::size_t count) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) store(exponential<true>(Doubles(), load(values + i)), values + i);
    for (; i < count; ++i)
        hn::StoreU(exponential<true>(OneLane(), hn::LoadU(OneLane(), values + i)), OneLane(), values + i);
}

void log_all(double* values, std::size_t count) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) store(logarithm(Doubles(), load(values + i)), values + i);
    for (; i < count; ++i) hn::StoreU(logarithm(OneLane(), hn::LoadU(OneLane(), values + i)), OneLane(), values + i);
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(softmax_tile);
HWY_EXPORT(log_softmax_tile);
HWY_EXPORT(two_posteriors_of);
HWY_EXPORT(argmax_tile);
HWY_EXPORT(transpose_tile);
HWY_EXPORT(exp_all);
HWY_EXPORT(log_all);

void softmax(Tile tile, double* log_evidence) { HWY_DYNAMIC_DISPATCH(softmax_tile)(tile, log_evidence); }
void log_softmax(Tile tile, double* log_evidence) { HWY_DYNAMIC_DISPATCH(log_softmax_tile)(tile, log_evidence); }
void two_posteriors(const double* difference, std::size_t count, double* out) {
    HWY_DYNAMIC_DISPATCH(two_posteriors_of)(difference, count, out);
}
void argmax(Tile tile, std::int32_t* index) { HWY_DYNAMIC_DISPATCH(argmax_tile)(tile, index); }
void transpose_out(Tile tile, double* out, std::ptrdiff_t out_stride) {
    HWY_DYNAMIC_DISPATCH(transpose_tile)(tile, out, out_stride);
}
void exp_in_place(double* values, std::size_t count) { HWY_DYNAMIC_DISPATCH(exp_all)(values, count); }
void log_in_place(double* values, std::size_t count) { HWY_DYNAMIC_DISPATCH(log_all)(values, count); }
}  // namespace suffice::kernel
#endif
