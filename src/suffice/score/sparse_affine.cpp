// Adds up the coefficients of the columns that a row has.
#include "suffice/score/sparse_affine.hpp"

#include <algorithm>

#include "suffice/kernel/text_rows.hpp"

namespace suffice {

SparseAffine::SparseAffine(std::span<const double> coefficient, std::span<const double> bias)
    : class_count_(bias.size()), width_(kernel::row_width(bias.size())), bias_(width_) {
    const std::size_t d = coefficient.size() / std::max<std::size_t>(class_count_, 1);
    std::ranges::copy(bias, bias_.begin());
    across_.resize(d * width_);
    for (std::size_t c = 0; c < class_count_; ++c)
        for (std::size_t j = 0; j < d; ++j) across_[j * width_ + c] = coefficient[c * d + j];
}

void SparseAffine::add(const SparseBlock& rows, kernel::Tile joint) const {
    std::vector<double> score(width_);
    for (std::size_t row = 0; row < joint.row_count; ++row) {
        const auto first = static_cast<std::size_t>(rows.row_start[row]);
        const std::size_t count = static_cast<std::size_t>(rows.row_start[row + 1]) - first;
        score = bias_;
        kernel::add_rows(across_.data(), width_, rows.column.subspan(first, count),
                         rows.value.empty() ? rows.value : rows.value.subspan(first, count), score.data());
        for (std::size_t c = 0; c < class_count_; ++c) joint.of_class(c)[row] += score[c];
    }
}

}  // namespace suffice
