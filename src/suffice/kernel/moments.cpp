// First and second moments of rows, per class. By label: rows in order, sums indexed by class and kept in the first
// cache (sorting rows by class reads memory irregularly and is slower). By share: sums in registers, a column group at
// a time.
#include "suffice/kernel/moments.hpp"

#include "suffice/kernel/scratch.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/moments.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

// sum += w z, square += w z z for `count` columns, with whole vectors only.
template <bool Weighted, bool Squares>
HWY_INLINE void add_vector(Vector z, Vector w, double* sum, double* square) {
    const Vector wz = Weighted ? hn::Mul(w, z) : z;
    store(hn::Add(load(sum), wz), sum);
    if constexpr (Squares) store(hn::MulAdd(wz, z, load(square)), square);
}

// Sums lie `width` apart per class (the squares after the sums), with room for whole vectors behind the last column.
template <bool Weighted, bool Squares, class AnyRows>
void add_rows(const AnyRows& rows, const std::int32_t* code, const double* weight, std::size_t class_count,
              const double* centre, double* class_weight, double* sums, std::size_t width) {
    const std::size_t d = rows.column_count, whole = d / lanes * lanes;
    for (std::size_t r = 0; r < rows.row_count; ++r) {
        const auto* x = rows.row(r);
        for (std::size_t j = 0; j < d; j += 64 / sizeof(*x)) prefetch(x + j, prefetch_rows * rows.stride);
        const auto c = static_cast<std::uint32_t>(code ? code[r] : 0);
        const double w = Weighted ? weight[r] : 1.0;
        if (c >= class_count || (Weighted && w == 0)) continue;
        class_weight[c] += w;
        double* sum = sums + 2 * width * c;
        double* square = sum + width;
        const Vector factor = broadcast(w);
        std::size_t j = 0;
        for (; j < whole; j += lanes)
            add_vector<Weighted, Squares>(hn::Sub(load_as(Doubles(), x + j), load(centre + j)), factor, sum + j,
                                          square + j);
        if (j < d)
            add_vector<Weighted, Squares>(hn::Sub(load_some(x + j, d - j), load_some(centre + j, d - j)), factor,
                                          sum + j, square + j);
    }
}

// Many classes: straight into the result, one row's sums being too far from the next one's for any gain by padding.
template <bool Weighted, bool Squares, class AnyRows>
void add_rows_in_place(const AnyRows& rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                       const double* centre, double* class_weight, double* sum, double* square) {
    const std::size_t d = rows.column_count;
    for (std::size_t r = 0; r < rows.row_count; ++r) {
        const auto* x = rows.row(r);
        const auto c = static_cast<std::uint32_t>(code ? code[r] : 0);
        const double w = Weighted ? weight[r] : 1.0;
        if (c >= class_count || (Weighted && w == 0)) continue;
        class_weight[c] += w;
        std::size_t j = 0;
        for (; j + lanes <= d; j += lanes)
            add_vector<Weighted, Squares>(hn::Sub(load_as(Doubles(), x + j), load(centre + j)), broadcast(w),
                                          sum + c * d + j, Squares ? square + c * d + j : nullptr);
        for (; j < d; ++j) {
            const double z = static_cast<double>(x[j]) - centre[j];
            sum[c * d + j] += w * z;
            if constexpr (Squares) square[c * d + j] += w * z * z;
        }
    }
}

template <bool Weighted, bool Squares, class AnyRows>
void moments_of(const AnyRows& rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                const double* centre, double* class_weight, double* sum, double* square) {
    constexpr std::size_t near_size = 2048;
    alignas(Scratch::alignment) double near[near_size];
    const std::size_t d = rows.column_count, width = (d + lanes - 1) / lanes * lanes;
    if (2 * width * class_count > near_size || rows.row_count <= class_count)
        return add_rows_in_place<Weighted, Squares>(rows, code, weight, class_count, centre, class_weight, sum, square);
    std::fill_n(near, 2 * width * class_count, 0.0);
    add_rows<Weighted, Squares>(rows, code, weight, class_count, centre, class_weight, near, width);
    for (std::size_t c = 0; c < class_count; ++c)
        for (std::size_t j = 0; j < d; ++j) {
            sum[c * d + j] += near[2 * width * c + j];
            if constexpr (Squares) square[c * d + j] += near[2 * width * c + width + j];
        }
}

template <class AnyRows>
void by_any_class(const AnyRows& rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                  const double* centre, double* class_weight, double* sum, double* square) {
    const auto go = weight ? (square ? moments_of<true, true, AnyRows> : moments_of<true, false, AnyRows>)
                           : (square ? moments_of<false, true, AnyRows> : moments_of<false, false, AnyRows>);
    go(rows, code, weight, class_count, centre, class_weight, sum, square);
}

void by_class(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count, const double* centre,
              double* class_weight, double* sum, double* square) {
    by_any_class(rows, code, weight, class_count, centre, class_weight, sum, square);
}

void floats_by_class(FloatRows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                     const double* centre, double* class_weight, double* sum, double* square) {
    by_any_class(rows, code, weight, class_count, centre, class_weight, sum, square);
}

// One vector of columns of all rows, for `Count` classes; tail columns are masked.
template <bool Squares, std::size_t Count>
HWY_INLINE void add_column_group(const Rows& rows, std::size_t j, std::size_t columns, const double* share,
                                 std::size_t share_stride, const double* centre, double* sum, double* square) {
    const Doubles d;
    Vector total[Count], squares[Count];
#pragma GCC unroll 8
    for (std::size_t c = 0; c < Count; ++c) total[c] = squares[c] = hn::Zero(d);
    const Vector middle = load_some(centre + j, columns);
    const bool whole = columns == lanes;
    const double* x = rows.values + j;
    for (std::size_t r = 0; r < rows.row_count; ++r, x += rows.stride) {
        if (j == 0)  // the first group meets the rows first
            for (std::size_t ahead = 0; ahead < rows.column_count; ahead += 8)
                prefetch(x + ahead, prefetch_rows * rows.stride);
        const Vector z = hn::Sub(whole ? load(x) : load_some(x, columns), middle);
#pragma GCC unroll 8
        for (std::size_t c = 0; c < Count; ++c) {
            const Vector wz = hn::Mul(broadcast(share[c * share_stride + r]), z);
            total[c] = hn::Add(total[c], wz);
            if constexpr (Squares) squares[c] = hn::MulAdd(wz, z, squares[c]);
        }
    }
#pragma GCC unroll 8
    for (std::size_t c = 0; c < Count; ++c) {
        add_lanes(total[c], sum + c * rows.column_count + j, columns);
        if constexpr (Squares) add_lanes(squares[c], square + c * rows.column_count + j, columns);
    }
}

template <bool Squares, std::size_t Count>
void add_class_group(std::size_t count, const Rows& rows, const double* share, std::size_t share_stride,
                     const double* centre, double* sum, double* square) {
    if (count == Count) {
        for (std::size_t j = 0; j < rows.column_count; j += lanes)
            add_column_group<Squares, Count>(rows, j, std::min(lanes, rows.column_count - j), share, share_stride,
                                             centre, sum, square);
    } else if constexpr (Count > 1) {
        add_class_group<Squares, Count - 1>(count, rows, share, share_stride, centre, sum, square);
    }
}

constexpr std::size_t row_block = 256;  // rows that stay in the second cache while the column groups pass over them

void by_share(Rows rows, const double* share, std::size_t share_stride, std::size_t class_count, const double* centre,
              double* class_weight, double* sum, double* square) {
    const std::size_t d = rows.column_count;
    for (std::size_t first = 0; first < rows.row_count; first += row_block) {
        const Rows block = rows.slice(first, std::min(row_block, rows.row_count - first));
        for (std::size_t c = 0; c < class_count; ++c) {
            const double* w = share + c * share_stride + first;
            double total = 0;
            for (std::size_t r = 0; r < block.row_count; ++r) total += w[r];
            class_weight[c] += total;
        }
        const std::size_t group = class_block(class_count);
        for (std::size_t c = 0; c < class_count; c += group) {
            const std::size_t count = std::min(group, class_count - c);
            const double* w = share + c * share_stride + first;
            if (square)
                add_class_group<true, wide_block>(count, block, w, share_stride, centre, sum + c * d, square + c * d);
            else
                add_class_group<false, wide_block>(count, block, w, share_stride, centre, sum + c * d, nullptr);
        }
    }
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(by_class);
HWY_EXPORT(floats_by_class);
HWY_EXPORT(by_share);

void class_moments(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                   const double* centre, double* class_weight, double* sum, double* square) {
    HWY_DYNAMIC_DISPATCH(by_class)(rows, code, weight, class_count, centre, class_weight, sum, square);
}

void class_moments(FloatRows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                   const double* centre, double* class_weight, double* sum, double* square) {
    HWY_DYNAMIC_DISPATCH(floats_by_class)(rows, code, weight, class_count, centre, class_weight, sum, square);
}

void shared_moments(Rows rows, const double* share, std::size_t share_stride, std::size_t class_count,
                    const double* centre, double* class_weight, double* sum, double* square) {
    HWY_DYNAMIC_DISPATCH(by_share)(rows, share, share_stride, class_count, centre, class_weight, sum, square);
}
}  // namespace suffice::kernel
#endif
