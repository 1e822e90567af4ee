// Quantiles of values that weigh.
#pragma once
#include <span>
#include <utility>
#include <vector>

namespace suffice {

// (value, weight) by value, without those that weigh nothing.
std::vector<std::pair<double, double>> sorted_by_value(std::span<const double> values, std::span<const double> weight);

// NumPy's linear rule, R's type 7, of values of which each was seen as often as it weighs. There is at least one.
double weighted_quantile(const std::vector<std::pair<double, double>>& sorted, double share);

}  // namespace suffice
