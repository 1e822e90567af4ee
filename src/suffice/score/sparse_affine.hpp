// Linear scores of sparse rows: only the entries that are there are read, with all classes of a column side by side.
#pragma once
#include <span>
#include <vector>

#include "suffice/data/block.hpp"
#include "suffice/kernel/rows.hpp"

namespace suffice {

class SparseAffine {
public:
    SparseAffine() = default;
    // coefficient: classes x columns, row-major; bias: by class.
    SparseAffine(std::span<const double> coefficient, std::span<const double> bias);
    // across: columns x classes, row-major; read where it lies, so it must stay there.
    static SparseAffine over(std::span<const double> across, std::span<const double> bias);

    // joint += bias + coefficient . x
    void add(const SparseBlock& rows, kernel::Tile joint) const;

private:
    void add_second(const SparseBlock& rows, kernel::Tile joint) const;
    const double* across() const { return lent_.empty() ? across_.data() : lent_.data(); }

    std::size_t class_count_ = 0, width_ = 0;
    bool second_only_ = false;           // two classes, and the first has no coefficients: the second's are held alone
    std::vector<double> across_, bias_;  // column by column, padded to whole cache lines
    std::span<const double> lent_;       // in place of across_
};

}  // namespace suffice
