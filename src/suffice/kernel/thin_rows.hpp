// Sums over thin sparse rows, such as categories written as indicators beside a few numbers: what nearly every row has
// is taken together, as one short vector per row, and of the rest only the entries are touched.
#pragma once
#include <cstddef>
#include <cstdint>

namespace suffice::kernel {

struct ThinRows {
    std::size_t row_count = 0;
    std::size_t width = 0;                     // of the common part of a row: a row_width
    const double* common = nullptr;            // row by row: the common columns, and what else is summed with them
    const std::uint32_t* row_start = nullptr;  // of the other entries: row_count + 1 places
    const std::uint32_t* column = nullptr;
    const double* value = nullptr;
};

// common (width) += sum of f c, other (by column) += sum of f x, over rows with common part c and other entries x.
void add_thin(const ThinRows& rows, const double* factor, double* common, double* other);

// own (width x width) += sum of f c c', across (column by column, each width) += sum of f x c', square (columns x
// columns, the entry of an earlier and a later entry of a row at the later one's line) += sum of f x x'.
void add_thin_squares(const ThinRows& rows, const double* factor, std::size_t column_count, double* own, double* across,
                      double* square);

}  // namespace suffice::kernel
