// What the shape of a kernel says: values, sums and draws, for those who sum it their own way.
#pragma once
#include "suffice/density/kernel_density.hpp"
#include "suffice/kernel/rows.hpp"

namespace suffice {

// log K at a squared distance, for a bandwidth of one.
double log_kernel(KernelShape kernel, double square);

inline kernel::Rows rows_of_matrix(const Matrix& m) {
    return {m.values.data(), m.row_count, m.column_count, static_cast<std::ptrdiff_t>(m.column_count)};
}
double squared_distance_of(const double* a, const double* b, std::size_t d);

// log sum_i exp(log_weight_i) K(|query - point_i|) of each query, both sides scaled; -inf for no points.
void log_kernel_sums(KernelShape kernel, kernel::Rows queries, kernel::Rows points, const double* log_weight,
                     double* out);

// How far a draw from the kernel in d dimensions lies from its centre.
double sample_kernel_radius(KernelShape kernel, double d, Rng& rng);

}  // namespace suffice
