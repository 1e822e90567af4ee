// The nearest and the second nearest of many centres to each row, in single precision: half the bytes and twice the
// lanes of doubles. Rows lie transposed in tiles, made once for many searches, and what rounding leaves open is said.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "suffice/kernel/rows.hpp"

namespace suffice::kernel {

inline constexpr std::size_t narrow_tile_rows = 32;

// Floats that the tiles of so many rows take.
constexpr std::size_t narrow_size(std::size_t row_count, std::size_t column_count) {
    return (row_count + narrow_tile_rows - 1) / narrow_tile_rows * narrow_tile_rows * column_count;
}

// tiles[(row / 32 * d + j) * 32 + row % 32] = scale (x_j - origin_j), the rows after the last repeating it;
// square (whole tiles too): the sum of their squares.
void narrow_rows(Rows rows, const double* origin, double scale, float* tiles, float* square);

// Centres times the same scale, in the order in which the search reads them.
class NarrowCentres {
public:
    NarrowCentres() = default;
    // centres: k x d, row-major, relative to the origin.
    NarrowCentres(const double* centres, std::size_t centre_count, std::size_t column_count, double scale);

    std::size_t centre_count() const { return bias_.size(); }
    std::size_t column_count() const { return column_count_; }
    const float* coefficients() const { return coefficients_.data(); }
    const float* bias() const { return bias_.data(); }  // -|c|^2 / 2
    double largest_square() const { return largest_square_; }

private:
    std::size_t column_count_ = 0;
    std::vector<float> coefficients_, bias_;
    double largest_square_ = 0;
};

// nearest: the number of the centre that is surely nearest; where rounding or a tie leaves that open, -1.
// upper: no less than the distance to it; lower: no more than the distance to any other (both in the scaled units). All
// three need room for whole tiles.
void nearest_narrow(const float* tiles, const float* square, std::size_t row_count, const NarrowCentres& centres,
                    std::int32_t* nearest, float* upper, float* lower);

// After centres moved: upper grows by moved[own], lower falls by passed[own], and the rows whose bounds no longer tell
// that their own centre is the nearest (upper < max(gap[own], lower)) are written to open, which needs room for
// row_count + 16 of them. How many they are.
std::size_t loosen_bounds(const std::int32_t* nearest, std::size_t row_count, const float* moved, const float* passed,
                          const float* gap, float* upper, float* lower, std::uint32_t* open);

// Asks for a row that will be read soon.
inline void prefetch_row(const double* row, std::size_t column_count) {
    constexpr std::size_t line = 64 / sizeof(double);
    for (std::size_t j = 0; j < column_count; j += line) __builtin_prefetch(row + j);
}

}  // namespace suffice::kernel
