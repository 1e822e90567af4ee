// The bandwidth of a Gaussian kernel for one column that solves the equation of Sheather and Jones, "A reliable
// data-based bandwidth selection method for kernel density estimation", 1991.
#pragma once
#include <span>

#include "suffice/estimate/kernel_density.hpp"

namespace suffice {

// The rule of DensitySettings that asks for it: the number after those of BandwidthRule, for one column only.
inline constexpr BandwidthRule sheather_jones_rule{4};

// In the values' own units, as R's bw.SJ finds it (pairs of values counted by their distance in 1000 bins), but with
// the root to the last digits. Weights count through the effective number of rows.
Result<double> sheather_jones_bandwidth(std::span<const double> values, std::span<const double> weight);

}  // namespace suffice
