// Arithmetic of short vectors that the Gaussian vector families share.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace suffice {

inline std::vector<double> minus(std::span<const double> a, std::span<const double> b) {
    std::vector<double> out(a.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] - b[i];
    return out;
}

inline double squared_length(std::span<const double> a) {
    double sum = 0;
    for (double v : a) sum += v * v;
    return sum;
}

inline bool all_finite(std::span<const double> values) {
    return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

// d x d, row by row, with `diagonal` on the diagonal.
inline std::vector<double> diagonal_matrix(std::span<const double> diagonal) {
    std::vector<double> out(diagonal.size() * diagonal.size());
    for (std::size_t i = 0; i < diagonal.size(); ++i) out[i * diagonal.size() + i] = diagonal[i];
    return out;
}

}  // namespace suffice
