// Bringing numbers of any layout into contiguous row-major doubles, and telling whether numbers are finite.
#include "suffice/kernel/gather.hpp"

#include <algorithm>
#include <cstring>

namespace suffice::kernel {
namespace {

// Rows are near each other and columns far: a square at a time, so that every cache line read is used whole.
template <class Number>
void turn(const Number* source, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, std::size_t row_count,
          std::size_t column_count, double* out, std::ptrdiff_t out_stride) {
    constexpr std::size_t side = 16;
    for (std::size_t first_row = 0; first_row < row_count; first_row += side)
        for (std::size_t first_column = 0; first_column < column_count; first_column += side) {
            const std::size_t row_end = std::min(row_count, first_row + side);
            const std::size_t column_end = std::min(column_count, first_column + side);
            for (std::size_t r = first_row; r < row_end; ++r) {
                const Number* from = source + static_cast<std::ptrdiff_t>(r) * row_stride;
                double* to = out + static_cast<std::ptrdiff_t>(r) * out_stride;
                for (std::size_t c = first_column; c < column_end; ++c)
                    to[c] = static_cast<double>(from[static_cast<std::ptrdiff_t>(c) * column_stride]);
            }
        }
}

template <class Number>
void gather_any(const Number* source, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, std::size_t row_count,
                std::size_t column_count, double* out, std::ptrdiff_t out_stride) {
    if (column_stride != 1) return turn(source, row_stride, column_stride, row_count, column_count, out, out_stride);
    for (std::size_t r = 0; r < row_count; ++r, source += row_stride, out += out_stride)
        std::copy_n(source, column_count, out);
}

// x - x is 0 for finite x and NaN otherwise, and NaN stays in the sum.
template <class Number>
bool finite(const Number* values, std::size_t count) {
    constexpr std::size_t lanes = 16;
    Number sum[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) sum[lane] += values[i + lane] - values[i + lane];
    for (; i < count; ++i) sum[0] += values[i] - values[i];
    for (std::size_t lane = 1; lane < lanes; ++lane) sum[0] += sum[lane];
    return sum[0] == 0;
}

}  // namespace

void gather(const double* source, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, std::size_t row_count,
            std::size_t column_count, double* out, std::ptrdiff_t out_stride) {
    gather_any(source, row_stride, column_stride, row_count, column_count, out, out_stride);
}

void gather(const float* source, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, std::size_t row_count,
            std::size_t column_count, double* out, std::ptrdiff_t out_stride) {
    gather_any(source, row_stride, column_stride, row_count, column_count, out, out_stride);
}

void convert(const float* source, std::size_t count, double* out) { std::copy_n(source, count, out); }

bool all_finite(const double* values, std::size_t count) { return finite(values, count); }
bool all_finite(const float* values, std::size_t count) { return finite(values, count); }

}  // namespace suffice::kernel
