// Logarithms of probabilities that may be zero or one, kept finite so that log posteriors are.
#pragma once
#include <cmath>

#include "suffice/family/concepts.hpp"

namespace suffice {

// A zero (or an undefined 0/0) becomes the smallest probability.
inline double kept(double probability) {
    return probability > smallest_probability ? probability : smallest_probability;
}
inline double log_kept(double probability) { return std::log(kept(probability)); }

// log(1 - p), accurate for a small p and finite at p = 1.
inline double log_complement(double probability) {
    return probability < 0.5 ? std::log1p(-probability) : log_kept(1 - probability);
}

inline bool is_count(double x) { return x >= 0 && x == std::floor(x) && std::isfinite(x); }

}  // namespace suffice
