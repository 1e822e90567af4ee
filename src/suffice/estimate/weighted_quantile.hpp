// Quantiles of values that weigh.
#pragma once
#include <span>
#include <utility>
#include <vector>

namespace suffice {

// (value, weight) by value, without those that weigh nothing.
std::vector<std::pair<double, double>> sorted_by_value(std::span<const double> values, std::span<const double> weight);

// Interpolated between the steps of the weighted distribution; equal weights: NumPy's linear rule, R's type 7. There is
// at least one value.
double weighted_quantile(const std::vector<std::pair<double, double>>& sorted, double share);

}  // namespace suffice
