// The two shapes that every numeric kernel takes: rows of numbers to read, and a tile of class scores to fill.
#pragma once
#include <cstddef>
#include <cstdint>

namespace suffice::kernel {

// Row-major numbers; `stride` is the distance between rows in elements.
template <class Number>
struct RowsOf {
    const Number* values = nullptr;
    std::size_t row_count = 0;
    std::size_t column_count = 0;
    std::ptrdiff_t stride = 0;

    const Number* row(std::size_t index) const { return values + static_cast<std::ptrdiff_t>(index) * stride; }
    RowsOf slice(std::size_t first, std::size_t count) const { return {row(first), count, column_count, stride}; }
};
using Rows = RowsOf<double>;
using FloatRows = RowsOf<float>;  // widened on their way in: sums and scores are double
using ByteRows = RowsOf<std::uint8_t>;

// Class-major: the score of class c and row r is values[c * stride + r], so that vector lanes are rows.
struct Tile {
    double* values = nullptr;
    std::size_t row_count = 0;
    std::size_t class_count = 0;
    std::size_t stride = 0;

    double* of_class(std::size_t index) const { return values + index * stride; }
    Tile slice(std::size_t first, std::size_t count) const { return {values + first, count, class_count, stride}; }
};

}  // namespace suffice::kernel
