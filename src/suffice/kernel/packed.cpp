// Reorders factors and tables into the sequence in which the scoring kernels read them.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "suffice/kernel/scores.hpp"

namespace suffice::kernel {

PackedFactors::PackedFactors(std::size_t class_count, std::size_t column_count, const double* factor,
                             const double* offset, const double* bias)
    : column_count_(column_count),
      rank_(column_count),
      triangular_(true),
      offset_(offset, offset + class_count * column_count),
      bias_(bias, bias + class_count) {
    pack(factor);
}

PackedFactors::PackedFactors(std::size_t class_count, std::size_t column_count, std::size_t rank, const double* factor,
                             const double* offset, const double* bias)
    : column_count_(column_count),
      rank_(rank),
      offset_(offset, offset + class_count * rank),
      bias_(bias, bias + class_count) {
    pack(factor);
}

// Blocks of `block` outputs, then of two, then of one: for each column that the block reaches, its coefficients.
void PackedFactors::pack(const double* factor) {
    for (std::size_t c = 0; c < bias_.size(); ++c)
        for (std::size_t first = 0; first < rank_;) {
            const std::size_t left = rank_ - first;
            const std::size_t count = left >= block ? block : std::min<std::size_t>(left, 2);
            for (std::size_t column = 0; column < reach(first, count); ++column)
                for (std::size_t output = first; output < first + count; ++output)
                    coefficients_.push_back(
                        triangular_ && column > output ? 0.0 : factor[(c * rank_ + output) * column_count_ + column]);
            first += count;
        }
    class_size_ = bias_.empty() ? 0 : coefficients_.size() / bias_.size();
}

PackedTables::PackedTables(std::size_t class_count, std::vector<std::int32_t> level_count, const double* const* table)
    : class_count_(class_count),
      class_stride_(class_count <= 4 ? 4 : (class_count + 7) / 8 * 8),
      level_count_(std::move(level_count)) {
    for (const std::int32_t levels : level_count_) {
        first_.push_back(blank_);
        blank_ += static_cast<std::size_t>(levels);
    }
    values_.assign((blank_ + 1) * class_stride_, 0.0);
    for (std::size_t j = 0; j < level_count_.size(); ++j)
        for (std::size_t level = 0; level < static_cast<std::size_t>(level_count_[j]); ++level)
            std::copy_n(table[j] + level * class_count_, class_count_,
                        values_.data() + (first_[j] + level) * class_stride_);
}

}  // namespace suffice::kernel
