// Bounds on the error and the excess risk of a smoothed Bernoulli estimate.
#include "suffice/family/smoothing_bounds.hpp"

#include <algorithm>
#include <cmath>

namespace suffice {

double smoothed_probability(double ones, double trials) { return (ones + 1) / (trials + 2); }

double smoothed_miss_bound(double trials, double excess) {
    return std::min(1.0, 2 * std::exp(-2 * trials * excess * excess));
}

double smoothed_margin(double trials, double confidence) {
    return 1 / (trials + 2) + std::sqrt(std::log(2 / (1 - confidence)) / (2 * trials));
}

double excess_risk_bound(double truth, double estimate) {
    return (truth - estimate) * (truth - estimate) / (estimate * (1 - estimate));
}

}  // namespace suffice
