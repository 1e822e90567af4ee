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

template <class Start, class Index>
bool dots(std::span<const Start> row_start, std::span<const Index> column, std::span<const double> value,
          std::span<const double> weight, double bias, double* out) {
    if (row_start.empty()) return true;
    if (weight.empty()) {
        std::fill_n(out, row_start.size() - 1, bias);
        return row_start.front() == row_start.back();
    }
    const auto last =
        static_cast<Index>(std::min(weight.size() - 1, static_cast<std::size_t>(std::numeric_limits<Index>::max())));
    const auto entry_count = static_cast<std::int64_t>(std::min(column.size(), value.size()));
    const double* w = weight.data();
    std::int64_t end = row_start[0];
    if (end < 0) return false;
    for (std::size_t row = 0; row + 1 < row_start.size(); ++row) {
        const std::int64_t begin = end;
        end = row_start[row + 1];
        if (HWY_UNLIKELY(end < begin || end > entry_count)) return false;
        const Index* c = column.data() + begin;
        const double* x = value.data() + begin;
        const auto count = static_cast<std::size_t>(end - begin);
        if (HWY_UNLIKELY(!inside(c, count, last))) return false;
        Pair even = {bias, 0.0}, odd = {};  // neither waits for the other
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

using Narrow = std::int32_t;
using Wide = std::int64_t;

bool DotsNarrow(std::span<const Narrow> row_start, std::span<const Narrow> column, std::span<const double> value,
                std::span<const double> weight, double bias, double* out) {
    return dots(row_start, column, value, weight, bias, out);
}
bool DotsWide(std::span<const Wide> row_start, std::span<const Wide> column, std::span<const double> value,
              std::span<const double> weight, double bias, double* out) {
    return dots(row_start, column, value, weight, bias, out);
}
bool DotsWideRows(std::span<const Wide> row_start, std::span<const Narrow> column, std::span<const double> value,
                  std::span<const double> weight, double bias, double* out) {
    return dots(row_start, column, value, weight, bias, out);
}
bool DotsWideColumns(std::span<const Narrow> row_start, std::span<const Wide> column, std::span<const double> value,
                     std::span<const double> weight, double bias, double* out) {
    return dots(row_start, column, value, weight, bias, out);
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(DotsNarrow);
HWY_EXPORT(DotsWide);
HWY_EXPORT(DotsWideRows);
HWY_EXPORT(DotsWideColumns);

template <class Start, class Index>
bool sparse_dots(std::span<const Start> row_start, std::span<const Index> column, std::span<const double> value,
                 std::span<const double> weight, double bias, double* out) {
    constexpr bool wide_rows = sizeof(Start) == 8, wide_columns = sizeof(Index) == 8;
    if constexpr (wide_rows && wide_columns)
        return HWY_DYNAMIC_DISPATCH(DotsWide)(row_start, column, value, weight, bias, out);
    else if constexpr (wide_rows)
        return HWY_DYNAMIC_DISPATCH(DotsWideRows)(row_start, column, value, weight, bias, out);
    else if constexpr (wide_columns)
        return HWY_DYNAMIC_DISPATCH(DotsWideColumns)(row_start, column, value, weight, bias, out);
    else
        return HWY_DYNAMIC_DISPATCH(DotsNarrow)(row_start, column, value, weight, bias, out);
}

template bool sparse_dots(std::span<const std::int32_t>, std::span<const std::int32_t>, std::span<const double>,
                          std::span<const double>, double, double*);
template bool sparse_dots(std::span<const std::int32_t>, std::span<const std::int64_t>, std::span<const double>,
                          std::span<const double>, double, double*);
template bool sparse_dots(std::span<const std::int64_t>, std::span<const std::int32_t>, std::span<const double>,
                          std::span<const double>, double, double*);
template bool sparse_dots(std::span<const std::int64_t>, std::span<const std::int64_t>, std::span<const double>,
                          std::span<const double>, double, double*);
}  // namespace suffice::kernel
#endif
