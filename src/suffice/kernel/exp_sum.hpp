// Sums of Gaussian bumps around many points, in logarithms: the arithmetic of kernel density estimation.
#pragma once
#include "suffice/kernel/rows.hpp"

namespace suffice::kernel {

// out[q] = log sum_i exp(log_weight_i - 1/2 |query_q - point_i|^2): both sides already divided by the bandwidth, best
// also centred. log_weight: at most 0 (-inf allowed), nullptr = 0. No points, or none possible: -inf; a query that is
// not finite: NaN.
void exp_sum(Rows queries, Rows points, const double* log_weight, double* out);

}  // namespace suffice::kernel
