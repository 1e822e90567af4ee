// Counting the levels of categorical columns per class, and turning numbers into level codes.
#include "suffice/kernel/count.hpp"

#include <algorithm>
#include <vector>

namespace suffice::kernel {
namespace {

// Written without branches on the data, so that the compiler can use vectors.
template <class Number>
std::size_t codes_of_row(const Number* x, std::size_t column_count, const std::int32_t* level_count,
                         std::int32_t* out) {
    std::int32_t refused = 0;
    for (std::size_t j = 0; j < column_count; ++j) {
        const bool in_range = x[j] >= 0 && x[j] < static_cast<Number>(level_count[j]);
        const auto whole = static_cast<std::int32_t>(in_range ? x[j] : Number(0));
        const bool good = in_range && static_cast<Number>(whole) == x[j];
        const bool missing = x[j] != x[j];
        out[j] = good ? whole : missing ? -1 : -2;
        refused += !good && !missing;
    }
    return static_cast<std::size_t>(refused);
}

template <class Number>
std::size_t codes_of(const Number* values, std::size_t row_count, std::size_t column_count, std::ptrdiff_t stride,
                     const std::int32_t* level_count, std::int32_t* out, std::ptrdiff_t out_stride) {
    std::size_t refused = 0;
    for (std::size_t r = 0; r < row_count; ++r, values += stride, out += out_stride)
        refused += codes_of_row(values, column_count, level_count, out);
    return refused;
}

}  // namespace

std::size_t level_codes(Rows rows, const std::int32_t* level_count, std::int32_t* out, std::ptrdiff_t out_stride) {
    return codes_of(rows.values, rows.row_count, rows.column_count, rows.stride, level_count, out, out_stride);
}

std::size_t level_codes(const float* values, std::size_t row_count, std::size_t column_count, std::ptrdiff_t stride,
                        const std::int32_t* level_count, std::int32_t* out, std::ptrdiff_t out_stride) {
    return codes_of(values, row_count, column_count, stride, level_count, out, out_stride);
}

std::size_t class_level_counts(Codes codes, const std::int32_t* level_count, const std::int32_t* code,
                               const double* weight, std::size_t class_count, double* counts) {
    std::vector<double*> column(codes.column_count);
    double* next = counts;
    for (std::size_t j = 0; j < codes.column_count; ++j) {
        column[j] = next;
        next += static_cast<std::size_t>(level_count[j]) * class_count;
    }
    std::size_t refused = 0;
    const std::int32_t* levels = codes.values;
    for (std::size_t r = 0; r < codes.row_count; ++r, levels += codes.stride) {
        const auto c = static_cast<std::uint32_t>(code ? code[r] : 0);
        const double w = weight ? weight[r] : 1.0;
        if (c >= class_count || w == 0) continue;
        for (std::size_t j = 0; j < codes.column_count; ++j) {
            if (levels[j] < 0) continue;
            if (levels[j] >= level_count[j])
                ++refused;
            else
                column[j][static_cast<std::size_t>(levels[j]) * class_count + c] += w;
        }
    }
    return refused;
}

std::size_t class_level_counts(Rows rows, const std::int32_t* level_count, const std::int32_t* code,
                               const double* weight, std::size_t class_count, double* counts) {
    constexpr std::size_t tile = 4096;  // codes that stay in the first cache
    const std::size_t step = std::max<std::size_t>(1, tile / std::max<std::size_t>(1, rows.column_count));
    std::vector<std::int32_t> codes(step * rows.column_count);
    const auto width = static_cast<std::ptrdiff_t>(rows.column_count);
    std::size_t refused = 0;
    for (std::size_t first = 0; first < rows.row_count; first += step) {
        const Rows part = rows.slice(first, std::min(step, rows.row_count - first));
        refused += level_codes(part, level_count, codes.data(), width);
        class_level_counts(Codes{codes.data(), part.row_count, part.column_count, width}, level_count,
                           code ? code + first : nullptr, weight ? weight + first : nullptr, class_count, counts);
    }
    return refused;
}

}  // namespace suffice::kernel
