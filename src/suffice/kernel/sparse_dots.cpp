// One pass over indices and values, at the speed of memory: a row's columns are looked at together before its weights
// are read, two at a time.
#include "suffice/kernel/sparse_dots.hpp"

#include <limits>
#include <type_traits>

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/sparse_dots.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

using Pair = double __attribute__((vector_size(16)));

// Whether all columns are from 0 to last. The sign of one of `each` and `last - each` is set where one is not.
template <class Index>
HWY_INLINE bool inside(const Index* column, std::size_t count, Index last) {
    const hn::ScalableTag<Index> d;
    const auto end = hn::Set(d, last);
    auto signs = hn::Zero(d);
    std::size_t k = 0;
    for (; k + hn::Lanes(d) <= count; k += hn::Lanes(d)) {
        const auto each = hn::LoadU(d, column + k);
        signs = hn::Or(signs, hn::Or(each, hn::Sub(end, each)));
    }
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX2
    if (k < count) {
        const auto each = hn::MaskedLoad(hn::FirstN(d, count - k), d, column + k);  // a column 0 where there is none
        signs = hn::Or(signs, hn::Or(each, hn::Sub(end, each)));
    }
    return hn::AllFalse(d, hn::Lt(signs, hn::Zero(d)));
#else  // here Highway's masked load reads the whole vector
    using Place = std::make_unsigned_t<Index>;
    bool good = hn::AllFalse(d, hn::Lt(signs, hn::Zero(d)));
    for (; k < count; ++k) good = good && static_cast<Place>(column[k]) <= static_cast<Place>(last);
    return good;
#endif
}

template <class Index>
bool dots(std::span<const std::int64_t> row_start, const Index* column, const double* value,
          std::span<const double> weight, double* out) {
    if (row_start.empty()) return true;
    if (weight.empty()) return row_start.front() == row_start.back();
    const auto last =
        static_cast<Index>(std::min(weight.size() - 1, static_cast<std::size_t>(std::numeric_limits<Index>::max())));
    const double* w = weight.data();
    for (std::size_t row = 0; row + 1 < row_start.size(); ++row) {
        const Index* c = column + row_start[row];
        const double* x = value + row_start[row];
        const auto count = static_cast<std::size_t>(row_start[row + 1] - row_start[row]);
        if (HWY_UNLIKELY(!inside(c, count, last))) return false;
        Pair even = {}, odd = {};  // neither waits for the other
        const auto add = [&](std::size_t e, Pair& sum)
                             HWY_ATTR { sum += Pair{x[e], x[e + 1]} * Pair{w[c[e]], w[c[e + 1]]}; };
        std::size_t e = 0;
        for (; e + 4 <= count; e += 4) add(e, even), add(e + 2, odd);
        if (e + 2 <= count) add(e, even), e += 2;
        if (e < count) odd += Pair{x[e] * w[c[e]], 0.0};
        even += odd;
        out[row] = even[0] + even[1];
    }
    return true;
}

bool DotsNarrow(std::span<const std::int64_t> row_start, const std::int32_t* column, const double* value,
                std::span<const double> weight, double* out) {
    return dots(row_start, column, value, weight, out);
}

bool DotsWide(std::span<const std::int64_t> row_start, const std::int64_t* column, const double* value,
              std::span<const double> weight, double* out) {
    return dots(row_start, column, value, weight, out);
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(DotsNarrow);
HWY_EXPORT(DotsWide);

bool sparse_dots(std::span<const std::int64_t> row_start, const std::int32_t* column, const double* value,
                 std::span<const double> weight, double* out) {
    return HWY_DYNAMIC_DISPATCH(DotsNarrow)(row_start, column, value, weight, out);
}

bool sparse_dots(std::span<const std::int64_t> row_start, const std::int64_t* column, const double* value,
                 std::span<const double> weight, double* out) {
    return HWY_DYNAMIC_DISPATCH(DotsWide)(row_start, column, value, weight, out);
}
}  // namespace suffice::kernel
#endif
