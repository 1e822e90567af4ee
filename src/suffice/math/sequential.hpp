// Bounds and estimates that take values one at a time.
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace suffice {

// Hoeffding (1963), two-sided: P(|mean of n values in [0, 1] - its expectation| >= epsilon) <= 2 exp(-2 n epsilon^2),
// and never above one. NaN for a negative n or epsilon.
inline double hoeffding_bound(double n, double epsilon) {
    if (!(n >= 0) || !(epsilon >= 0)) return std::numeric_limits<double>::quiet_NaN();
    if (n == 0 || epsilon == 0) return 1;
    return std::fmin(1.0, 2 * std::exp(-2 * n * epsilon * epsilon));
}

// The epsilon that any of so many rules misses its risk by with a probability of at most delta, by the union over them:
// sqrt(log(2 rules / delta) / (2 n)).
inline double hoeffding_reach(double n, double delta, double rules = 1) {
    if (!(n > 0) || !(delta > 0) || !(rules >= 1)) return std::numeric_limits<double>::quiet_NaN();
    return std::sqrt(std::log(2 * rules / delta) / (2 * n));
}

// The root of E[theta - x] after each value, by Robbins and Monro (1951) with the steps 1/1, 1/2, 1/3, ...: the running
// mean. The first step is a whole one, so where it starts is forgotten at once; NaN stays NaN.
inline std::vector<double> robbins_monro_path(std::span<const double> values, double start) {
    std::vector<double> path(values.size());
    double at = start;
    for (std::size_t k = 0; k < values.size(); ++k) {
        at += (values[k] - at) / static_cast<double>(k + 1);
        path[k] = at;
    }
    return path;
}

}  // namespace suffice
