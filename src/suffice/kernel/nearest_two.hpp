// The nearest and the second nearest of many centres to each row.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "suffice/kernel/rows.hpp"

namespace suffice::kernel {

// Centres in the order in which the search reads them.
class PackedCentres {
public:
    PackedCentres() = default;
    // centres: k x d, row-major.
    PackedCentres(const double* centres, std::size_t centre_count, std::size_t column_count);

    std::size_t centre_count() const { return bias_.size(); }
    std::size_t column_count() const { return column_count_; }
    const double* coefficients() const { return coefficients_.data(); }
    const double* bias() const { return bias_.data(); }  // -|c|^2 / 2

private:
    std::size_t column_count_ = 0;
    std::vector<double> coefficients_, bias_;
};

// Distances are between x - origin and the centres. nearest: the first of equals. The squares are made as
// |x|^2 - 2 c.x + |c|^2, so they carry a rounding of |x|^2 + |c|^2 and may come out just below zero; with one centre
// alone the second is infinite. second may be nullptr.
void nearest_two(Rows rows, const double* origin, const PackedCentres& centres, std::int32_t* nearest,
                 double* squared_distance, double* second);

}  // namespace suffice::kernel
