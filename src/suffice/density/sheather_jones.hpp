// The bandwidth of a Gaussian kernel for one column that solves the equation of Sheather and Jones, "A reliable
// data-based bandwidth selection method for kernel density estimation", 1991.
#pragma once
#include <span>

#include "suffice/density/kernel_density.hpp"

namespace suffice {

// In the values' own units, as R's bw.SJ finds it (pairs of values counted by their distance in 1000 bins), but with
// the root to the last digits. Weights count through the effective number of rows.
Result<double> sheather_jones_bandwidth(std::span<const double> values, std::span<const double> weight);

}  // namespace suffice
