// Scores of rows for every class: affine, diagonal quadratic, full quadratic, and looked up in tables.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "suffice/kernel/rows.hpp"

namespace suffice::kernel {

// Every function adds to a tile of rows.row_count rows (about 256 is best, any number works). A row's score does
// not depend on the other rows of the tile.

// joint += bias + weight . (x - centre); weight: k x d, row-major.
void affine_scores(Rows rows, const double* centre, const double* weight, const double* bias, Tile joint);
void affine_scores(FloatRows rows, const double* centre, const double* weight, const double* bias, Tile joint);

// joint += bias - 1/2 sum_j (scale_j (x_j - centre_j) - offset_j)^2; scale and offset: k x d, row-major.
void diagonal_scores(Rows rows, const double* centre, const double* scale, const double* offset, const double* bias,
                     Tile joint);
void diagonal_scores(FloatRows rows, const double* centre, const double* scale, const double* offset,
                     const double* bias, Tile joint);

// The factors of quadratic_scores, reordered once so that they are read in sequence.
class PackedFactors {
public:
    static constexpr std::size_t block = 6;  // outputs computed together

    PackedFactors() = default;
    // factor: k x d x d, row-major, lower triangles (what lies above is not read); offset: k x d; bias: k.
    PackedFactors(std::size_t class_count, std::size_t column_count, const double* factor, const double* offset,
                  const double* bias);
    // factor: k x rank x d, row-major, full rows; offset: k x rank.
    PackedFactors(std::size_t class_count, std::size_t column_count, std::size_t rank, const double* factor,
                  const double* offset, const double* bias);

    std::size_t class_count() const { return bias_.size(); }
    std::size_t column_count() const { return column_count_; }
    std::size_t rank() const { return rank_; }
    bool triangular() const { return triangular_; }
    const double* coefficients(std::size_t index) const { return coefficients_.data() + index * class_size_; }
    const double* offset(std::size_t index) const { return offset_.data() + index * rank_; }
    double bias(std::size_t index) const { return bias_[index]; }
    // How many leading columns the block of outputs first .. first + count - 1 reads.
    std::size_t reach(std::size_t first, std::size_t count) const {
        return triangular_ ? first + count : column_count_;
    }

private:
    void pack(const double* factor);

    std::size_t column_count_ = 0;
    std::size_t rank_ = 0;
    bool triangular_ = false;
    std::size_t class_size_ = 0;
    std::vector<double> coefficients_;
    std::vector<double> offset_;
    std::vector<double> bias_;
};

// joint += bias_k - 1/2 |A_k (x - centre) - b_k|^2.
void quadratic_scores(Rows rows, const double* centre, const PackedFactors& factors, Tile joint);
void quadratic_scores(FloatRows rows, const double* centre, const PackedFactors& factors, Tile joint);

// One table of class scores per categorical column, with classes side by side and padded to whole vectors.
class PackedTables {
public:
    PackedTables() = default;
    // table[j]: level_count[j] x k, row-major (level, then class).
    PackedTables(std::size_t class_count, std::vector<std::int32_t> level_count, const double* const* table);

    std::size_t class_count() const { return class_count_; }
    std::size_t class_stride() const { return class_stride_; }
    std::size_t column_count() const { return level_count_.size(); }
    const std::int32_t* level_count() const { return level_count_.data(); }
    const std::size_t* first() const { return first_.data(); }  // first line of each column
    std::size_t blank() const { return blank_; }                // a line of zeros
    const double* line(std::size_t index) const { return values_.data() + index * class_stride_; }

private:
    std::size_t class_count_ = 0;
    std::size_t class_stride_ = 0;
    std::size_t blank_ = 0;
    std::vector<std::int32_t> level_count_;
    std::vector<std::size_t> first_;
    std::vector<double> values_;
};

// joint += sum_j table_j[codes_j]; codes: row-major with the given stride; a code that is negative or not below
// the column's level count adds nothing.
void table_scores(const std::int32_t* codes, std::ptrdiff_t code_stride, const PackedTables& tables, Tile joint);

}  // namespace suffice::kernel
