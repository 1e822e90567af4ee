// One step of k-means: each row to its nearest centre, and the sums from which the centres move.
#pragma once
#include <cstddef>
#include <cstdint>

#include "suffice/kernel/rows.hpp"

namespace suffice::kernel {

// Distances are between x - origin and the rows of `centres` (k x d, row-major, also relative to the origin).
// nearest gets each row's centre, the first of equals; class_weight (k) and sum (k x d), unless nullptr, grow by w and
// w (x - origin); distance, unless nullptr, gets the squared distance to that centre. weight: nullptr = 1.
void nearest_centres(Rows rows, const double* weight, const double* origin, const double* centres,
                     std::size_t centre_count, std::int32_t* nearest, double* class_weight, double* sum,
                     double* distance);

// |x - origin - centre|^2, from differences.
double squared_distance(const double* x, const double* origin, const double* centre, std::size_t column_count);

}  // namespace suffice::kernel
