// Adds up the coefficients of the columns that a row has.
#include "suffice/score/sparse_affine.hpp"

#include <algorithm>

#include "suffice/kernel/text_rows.hpp"

namespace suffice {

// One or two classes are added up as they are; more are padded, for the kernel.
SparseAffine::SparseAffine(std::span<const double> coefficient, std::span<const double> bias)
    : class_count_(bias.size()),
      width_(bias.size() <= 2 ? bias.size() : kernel::row_width(bias.size())),
      bias_(width_) {
    const std::size_t d = coefficient.size() / std::max<std::size_t>(class_count_, 1);
    std::ranges::copy(bias, bias_.begin());
    second_only_ = class_count_ == 2 && std::ranges::all_of(coefficient.first(d), [](double w) { return w == 0; });
    if (second_only_) {
        across_.assign(coefficient.begin() + static_cast<std::ptrdiff_t>(d), coefficient.end());
        return;
    }
    across_.resize(d * width_);
    constexpr std::size_t together = 64;  // columns, whose lines stay in the first cache while classes are put in
    for (std::size_t first = 0; first < d; first += together)
        for (std::size_t c = 0; c < class_count_; ++c)
            for (std::size_t j = first; j < std::min(first + together, d); ++j)
                across_[j * width_ + c] = coefficient[c * d + j];
}

SparseAffine SparseAffine::over(std::span<const double> across, std::span<const double> bias) {
    SparseAffine made;
    made.class_count_ = made.width_ = bias.size();
    made.bias_.assign(bias.begin(), bias.end());
    made.lent_ = across;
    return made;
}

void SparseAffine::add_second(const SparseBlock& rows, kernel::Tile joint) const {
    const std::uint32_t* column = rows.column.data();
    const double* value = rows.value.data();
    const double* table = across();
    for (std::size_t row = 0; row < joint.row_count; ++row) {
        const auto end = static_cast<std::size_t>(rows.row_start[row + 1]);
        auto e = static_cast<std::size_t>(rows.row_start[row]);
        double even = 0, odd = 0;  // two sums: neither waits for the other
        if (rows.value.empty()) {
            for (; e + 1 < end; e += 2) even += table[column[e]], odd += table[column[e + 1]];
            if (e < end) even += table[column[e]];
        } else {
            for (; e + 1 < end; e += 2) {
                even += value[e] * table[column[e]];
                odd += value[e + 1] * table[column[e + 1]];
            }
            if (e < end) even += value[e] * table[column[e]];
        }
        joint.of_class(0)[row] += bias_[0];
        joint.of_class(1)[row] += bias_[1] + (even + odd);
    }
}

void SparseAffine::add(const SparseBlock& rows, kernel::Tile joint) const {
    if (second_only_) {
        add_second(rows, joint);
        return;
    }
    std::vector<double> score(width_);
    const double* table = across();
    for (std::size_t row = 0; row < joint.row_count; ++row) {
        const auto first = static_cast<std::size_t>(rows.row_start[row]);
        const std::size_t count = static_cast<std::size_t>(rows.row_start[row + 1]) - first;
        const auto column = rows.column.subspan(first, count);
        const auto value = rows.value.empty() ? rows.value : rows.value.subspan(first, count);
        if (class_count_ == 2) {
            double a = bias_[0], b = bias_[1];
            for (std::size_t e = 0; e < count; ++e) {
                const double x = value.empty() ? 1.0 : value[e];
                a += x * table[2 * column[e]];
                b += x * table[2 * column[e] + 1];
            }
            joint.of_class(0)[row] += a;
            joint.of_class(1)[row] += b;
            continue;
        }
        std::ranges::copy(bias_, score.begin());
        if (width_ == 1)
            for (std::size_t e = 0; e < count; ++e) score[0] += (value.empty() ? 1.0 : value[e]) * table[column[e]];
        else
            kernel::add_rows(table, width_, column, value, score.data(), rows.column.size() - first - count);
        for (std::size_t c = 0; c < class_count_; ++c) joint.of_class(c)[row] += score[c];
    }
}

}  // namespace suffice
