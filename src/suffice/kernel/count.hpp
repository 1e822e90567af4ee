// Counting the levels of categorical columns per class, and turning numbers into level codes.
#pragma once
#include <cstddef>
#include <cstdint>

#include "suffice/kernel/rows.hpp"

namespace suffice::kernel {

// Level codes of categorical columns, row-major; a negative code is a missing value.
struct Codes {
    const std::int32_t* values = nullptr;
    std::size_t row_count = 0;
    std::size_t column_count = 0;
    std::ptrdiff_t stride = 0;
};

// counts[(first[j] + level) * class_count + class] += weight, with first[j] = level_count[0] + ... + level_count[j -
// 1]. code and weight as in class_moments. Missing values are skipped. Returns how many codes were not below their
// column's level count; these are skipped too.
std::size_t class_level_counts(Codes codes, const std::int32_t* level_count, const std::int32_t* code,
                               const double* weight, std::size_t class_count, double* counts);

// Numbers that are whole and in [0, level_count[j]) become codes, NaN becomes -1 (missing); every other value becomes
// -2 and is counted in the result. out: row-major, out_stride apart.
std::size_t level_codes(Rows rows, const std::int32_t* level_count, std::int32_t* out, std::ptrdiff_t out_stride);
std::size_t level_codes(const float* values, std::size_t row_count, std::size_t column_count, std::ptrdiff_t stride,
                        const std::int32_t* level_count, std::int32_t* out, std::ptrdiff_t out_stride);

// class_level_counts of numbers: codes in one step with counting. Returns how many values were refused.
std::size_t class_level_counts(Rows rows, const std::int32_t* level_count, const std::int32_t* code,
                               const double* weight, std::size_t class_count, double* counts);

}  // namespace suffice::kernel
