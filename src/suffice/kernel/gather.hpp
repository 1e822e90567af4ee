// Bringing numbers of any layout into contiguous row-major doubles, and telling whether numbers are finite.
#pragma once
#include <cstddef>
#include <cstdint>

namespace suffice::kernel {

// out[r * out_stride + c] = source[r * row_stride + c * column_stride]; strides in elements, of any sign.
void gather(const double* source, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, std::size_t row_count,
            std::size_t column_count, double* out, std::ptrdiff_t out_stride);
void gather(const float* source, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, std::size_t row_count,
            std::size_t column_count, double* out, std::ptrdiff_t out_stride);

// Contiguous numbers, widened.
void convert(const float* source, std::size_t count, double* out);

bool all_finite(const double* values, std::size_t count);
bool all_finite(const float* values, std::size_t count);

}  // namespace suffice::kernel
