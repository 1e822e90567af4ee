// Splits thin rows and puts the sums of their pieces together.
#include "suffice/regress/thin_outer.hpp"

#include <algorithm>

#include "suffice/kernel/text_rows.hpp"

namespace suffice {
namespace {

constexpr std::size_t looked_at = 64;  // rows that say which columns are common
constexpr std::size_t most_common = 31;
constexpr double common_share = 0.9;

}  // namespace

ThinSplit::ThinSplit(const SparseBlock& block) : block_(block), place_(block.column_count, -1) {
    const std::size_t rows = block.row_start.size() - 1, step = std::max<std::size_t>(rows / looked_at, 1);
    std::vector<std::size_t> times(block.column_count);
    std::size_t seen = 0;
    for (std::size_t row = 0; row < rows; row += step, ++seen)
        for (auto e = block.row_start[row]; e < block.row_start[row + 1]; ++e)
            ++times[block.column[static_cast<std::size_t>(e)]];
    for (std::uint32_t j = 0; j < block.column_count && common_.size() < most_common; ++j) {
        if (static_cast<double>(times[j]) < common_share * static_cast<double>(seen)) continue;
        place_[j] = static_cast<std::int32_t>(common_.size());
        common_.push_back(j);
    }
    width_ = kernel::row_width(common_.size() + 1);
}

kernel::ThinRows ThinSplit::rows(std::size_t first, std::size_t count) {
    const auto begin = static_cast<std::size_t>(block_.row_start[first]);
    const auto end = static_cast<std::size_t>(block_.row_start[first + count]);
    values_.assign(count * width_, 0.0);
    row_start_.assign(count + 1, 0);
    if (column_.size() < end - begin) column_.resize(end - begin), value_.resize(end - begin);
    const std::size_t one = common_.size();
    std::uint32_t others = 0;
    for (std::size_t row = 0; row < count; ++row) {
        double* common = values_.data() + row * width_;
        common[one] = 1;
        const auto stop = static_cast<std::size_t>(block_.row_start[first + row + 1]);
        for (auto e = static_cast<std::size_t>(block_.row_start[first + row]); e < stop; ++e) {
            const std::uint32_t column = block_.column[e];
            const double value = block_.value.empty() ? 1.0 : block_.value[e];
            if (const std::int32_t place = place_[column]; place >= 0) {
                common[place] += value;
            } else if (others > row_start_[row] && column_[others - 1] == column) {  // one entry in two pieces
                value_[others - 1] += value;
            } else {
                column_[others] = column;
                value_[others++] = value;
            }
        }
        row_start_[row + 1] = others;
    }
    return {count, width_, values_.data(), row_start_.data(), column_.data(), value_.data()};
}

ThinSums::ThinSums(const ThinSplit& split, std::size_t column_count)
    : common_(split.common().begin(), split.common().end()), own_(split.width()), other_(column_count) {}

double ThinSums::add_to(double* sum) const {
    for (std::size_t j = 0; j < other_.size(); ++j) sum[j] += other_[j];
    for (std::size_t i = 0; i < common_.size(); ++i) sum[common_[i]] += own_[i];
    return own_[common_.size()];
}

ThinSquares::ThinSquares(const ThinSplit& split, std::size_t column_count)
    : column_count_(column_count),
      width_(split.width()),
      common_(split.common().begin(), split.common().end()),
      own_(width_ * width_),
      across_(column_count * width_),
      square_(column_count * column_count) {}

double ThinSquares::add_to(double* sum, double* square) const {
    const std::size_t d = column_count_, m = common_.size();
    for (std::size_t j = 0; j < d; ++j) sum[j] += across_[j * width_ + m];
    for (std::size_t i = 0; i < m; ++i) sum[common_[i]] += own_[m * width_ + i];
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j <= i; ++j)  // either half, as a row's entries came
            square[i * d + j] += square_[i * d + j] + (i == j ? 0.0 : square_[j * d + i]);
    for (std::size_t c = 0; c < m; ++c) {
        const std::size_t i = common_[c];
        for (std::size_t j = 0; j < d; ++j)  // a common column has nothing here of its own
            square[std::max(i, j) * d + std::min(i, j)] += across_[j * width_ + c];
        for (std::size_t e = 0; e <= c; ++e) square[i * d + common_[e]] += own_[c * width_ + e];
    }
    return own_[m * width_ + m];
}

}  // namespace suffice
