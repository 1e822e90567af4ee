// The expectation of a function of a count, by summing its distribution outward from the middle.
#pragma once
#include <algorithm>
#include <cmath>

namespace suffice {

// E[f(x)] over x = 0, 1, 2, ... for a density that falls on both sides of its mode. The sum ends where what is left, at
// most about a deviation times the last term, no longer changes a double. The middle lies at or above the mode.
template <class LogDensity, class Function>
double count_expectation(double middle, double deviation, LogDensity log_density, Function f) {
    const double reach = std::max(1.0, deviation);
    const double start = std::floor(middle);
    // Summed around f(start), so that the rounding of probabilities is not multiplied by all of f.
    const double usual = f(start);
    double sum = 0;
    const auto matters = [&](double x) {
        const double probability = std::exp(log_density(x)), value = f(x) - usual;
        sum += probability * value;
        return probability * reach * std::max(1.0, std::abs(value)) > 1e-18;
    };
    for (double x = start; matters(x);) ++x;
    for (double x = start - 1; x >= 0 && (matters(x) || x > middle - reach);) --x;
    return usual + sum;
}

}  // namespace suffice
