// A dense row-major matrix that owns its numbers: what public functions return.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "suffice/base/fields.hpp"

namespace suffice {

struct Matrix {
    std::size_t row_count = 0, column_count = 0;
    std::vector<double> values;
    static constexpr auto fields =
        FieldTuple{field("row_count", &Matrix::row_count), field("column_count", &Matrix::column_count),
                   field("values", &Matrix::values)};

    Matrix() = default;
    Matrix(std::size_t rows, std::size_t columns) : row_count(rows), column_count(columns), values(rows * columns) {}

    double operator()(std::size_t row, std::size_t column) const { return values[row * column_count + column]; }
    double& operator()(std::size_t row, std::size_t column) { return values[row * column_count + column]; }
    std::span<const double> row(std::size_t index) const {
        return std::span(values).subspan(index * column_count, column_count);
    }
    std::span<double> row(std::size_t index) { return std::span(values).subspan(index * column_count, column_count); }
    bool operator==(const Matrix&) const = default;
};

}  // namespace suffice
