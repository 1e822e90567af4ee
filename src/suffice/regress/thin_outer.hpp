// Sums of w x and of w x x' along the entries of thin sparse rows: per row the square of its entries is touched, not
// that of the columns.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "suffice/data/block.hpp"
#include "suffice/kernel/thin_rows.hpp"

namespace suffice {

// Takes rows of one block apart: into the columns that nearly all of them have, with a one behind them, and the others.
class ThinSplit {
public:
    explicit ThinSplit(const SparseBlock& block);

    // Valid until the next call.
    kernel::ThinRows rows(std::size_t first, std::size_t count);
    std::span<const std::uint32_t> common() const { return common_; }  // columns
    std::size_t width() const { return width_; }

private:
    const SparseBlock& block_;
    std::vector<std::uint32_t> common_;
    std::size_t width_ = 0;
    std::vector<std::int32_t> place_;  // of each column in common_, else -1
    std::vector<double> values_, value_;
    std::vector<std::uint32_t> row_start_, column_;
};

class ThinSums {
public:
    ThinSums(const ThinSplit& split, std::size_t column_count);

    void add(const kernel::ThinRows& rows, const double* weight) {
        kernel::add_thin(rows, weight, own_.data(), other_.data());
    }
    // sum += that of w x, by column; the result is that of w.
    double add_to(double* sum) const;

private:
    std::vector<std::uint32_t> common_;
    std::vector<double> own_, other_;
};

class ThinSquares {
public:
    ThinSquares(const ThinSplit& split, std::size_t column_count);

    void add(const kernel::ThinRows& rows, const double* weight) {
        kernel::add_thin_squares(rows, weight, column_count_, own_.data(), across_.data(), square_.data());
    }
    // sum += that of w x, lower triangle of square += that of w x x'; the result is that of w.
    double add_to(double* sum, double* square) const;

private:
    std::size_t column_count_, width_;
    std::vector<std::uint32_t> common_;
    std::vector<double> own_, across_, square_;  // as the kernel has them
};

}  // namespace suffice
