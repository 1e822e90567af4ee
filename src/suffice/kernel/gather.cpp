// Bringing numbers of any layout into contiguous row-major doubles, and telling whether numbers are finite.
#include "suffice/kernel/gather.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/gather.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

template <class Number>
HWY_INLINE void copy_row(const Number* from, std::size_t count, double* to) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) store(load_as(Doubles(), from + i), to + i);
    for (; i < count; ++i) to[i] = static_cast<double>(from[i]);
}

// Column by column in memory: `lanes` columns at a time, four rows per step, transposed in registers. Last columns and
// rows overlap those before them.
template <class Number>
void turn_columns(const Number* source, std::ptrdiff_t column_stride, std::size_t row_count, std::size_t column_count,
                  double* out, std::ptrdiff_t out_stride) {
    constexpr std::ptrdiff_t ahead = 512 / sizeof(Number);
    for (std::size_t next = 0; next < column_count; next += lanes) {
        const std::size_t c = std::min(next, column_count - lanes);
        const Number* column[lanes];
        for (std::size_t i = 0; i < lanes; ++i) column[i] = source + static_cast<std::ptrdiff_t>(c + i) * column_stride;
        for (std::size_t following = 0; following < row_count; following += 4) {
            const std::size_t r = std::min(following, row_count - 4);
            if (following % 8 == 0)
                for (std::size_t i = 0; i < lanes; ++i) prefetch(column[i] + r, ahead);
            Vector row[4];
            load_columns(column, r, row);
            double* to = out + static_cast<std::ptrdiff_t>(r) * out_stride + static_cast<std::ptrdiff_t>(c);
            for (std::size_t i = 0; i < 4; ++i, to += out_stride) store(row[i], to);
        }
    }
}

template <class Number>
void gather_any(const Number* source, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, std::size_t row_count,
                std::size_t column_count, double* out, std::ptrdiff_t out_stride) {
    if (column_stride == 1) {
        constexpr std::size_t line = 64 / sizeof(Number);
        for (std::size_t r = 0; r < row_count; ++r, source += row_stride, out += out_stride) {
            for (std::size_t c = 0; c < column_count; c += line) prefetch(source + c, prefetch_rows * row_stride);
            copy_row(source, column_count, out);
        }
        return;
    }
    if (row_stride == 1 && row_count >= 4 && column_count >= lanes)
        return turn_columns(source, column_stride, row_count, column_count, out, out_stride);
    for (std::size_t r = 0; r < row_count; ++r, source += row_stride, out += out_stride)
        for (std::size_t c = 0; c < column_count; ++c)
            out[c] = static_cast<double>(source[static_cast<std::ptrdiff_t>(c) * column_stride]);
}

void gather_doubles(const double* source, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride,
                    std::size_t row_count, std::size_t column_count, double* out, std::ptrdiff_t out_stride) {
    gather_any(source, row_stride, column_stride, row_count, column_count, out, out_stride);
}

void gather_floats(const float* source, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, std::size_t row_count,
                   std::size_t column_count, double* out, std::ptrdiff_t out_stride) {
    gather_any(source, row_stride, column_stride, row_count, column_count, out, out_stride);
}

void convert_floats(const float* source, std::size_t count, double* out) { copy_row(source, count, out); }

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(gather_doubles);
HWY_EXPORT(gather_floats);
HWY_EXPORT(convert_floats);

namespace {
// x - x is 0 for finite x and NaN otherwise, and NaN stays in the sum.
template <class Number>
bool finite(const Number* values, std::size_t count) {
    constexpr std::size_t width = 16;
    Number sum[width] = {};
    std::size_t i = 0;
    for (; i + width <= count; i += width)
        for (std::size_t lane = 0; lane < width; ++lane) sum[lane] += values[i + lane] - values[i + lane];
    for (; i < count; ++i) sum[0] += values[i] - values[i];
    for (std::size_t lane = 1; lane < width; ++lane) sum[0] += sum[lane];
    return sum[0] == 0;
}
}  // namespace

void gather(const double* source, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, std::size_t row_count,
            std::size_t column_count, double* out, std::ptrdiff_t out_stride) {
    HWY_DYNAMIC_DISPATCH(gather_doubles)
    (source, row_stride, column_stride, row_count, column_count, out, out_stride);
}

void gather(const float* source, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, std::size_t row_count,
            std::size_t column_count, double* out, std::ptrdiff_t out_stride) {
    HWY_DYNAMIC_DISPATCH(gather_floats)
    (source, row_stride, column_stride, row_count, column_count, out, out_stride);
}

void convert(const float* source, std::size_t count, double* out) {
    HWY_DYNAMIC_DISPATCH(convert_floats)(source, count, out);
}

bool all_finite(const double* values, std::size_t count) { return finite(values, count); }
bool all_finite(const float* values, std::size_t count) { return finite(values, count); }
}  // namespace suffice::kernel
#endif
