// Gauss-Hermite quadrature against the standard normal density: sum_i weight_i f(at_i) is the mean of f, exact for
// polynomials up to degree 2 n - 1. Golub, Welsch, "Calculation of Gauss quadrature rules", 1969.
#pragma once
#include <cstddef>
#include <vector>

namespace suffice {

struct NormalRule {
    std::vector<double> at, weight;
};
NormalRule normal_rule(std::size_t count);

}  // namespace suffice
