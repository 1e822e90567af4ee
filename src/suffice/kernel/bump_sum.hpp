// The sum of Gaussian bumps at one place, over points that lie column by column: what a leaf of a tree of points gives.
#pragma once
#include <cstddef>

namespace suffice::kernel {

// sum_i weight_i exp(-1/2 |query - point_i|^2), both sides in bandwidths. Value j of point i is columns[j * stride +
// i].
double bump_sum(const double* query, std::size_t dimension, const double* columns, std::size_t stride,
                const double* weight, std::size_t count);

}  // namespace suffice::kernel
