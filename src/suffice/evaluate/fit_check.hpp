// How well a fitted distribution describes the values of one column in one class: quantiles beside quantiles, and the
// largest gap between the distribution functions.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace suffice {

struct QuantilePair {
    double expected = 0, seen = 0;
};

struct FitCheck {
    std::size_t rows = 0;
    std::vector<QuantilePair> quantiles;  // ascending, at most 60
    double distance = 0;                  // Kolmogorov and Smirnov's D
    // D above this is misfit at 5 % for a Gaussian whose mean and variance were estimated: 0.895 / (sqrt n - 0.01 +
    // 0.85 / sqrt n), Stephens (1974), table 1A. For other families a rule of thumb.
    double critical = 0;

    bool misfits() const { return rows >= 8 && distance > critical; }
};

// `density` of the fitted distribution at the ascending points `at`, which reach beyond the values on both sides; of
// whole numbers their probabilities. What lies outside of the points is taken as nothing.
FitCheck check_fit(std::vector<double> values, std::span<const double> at, std::span<const double> density, bool whole);

}  // namespace suffice
