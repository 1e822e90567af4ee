// Nodes are the eigenvalues of the Jacobi matrix of Hermite's polynomials, weights the squares of its first components.
#include "suffice/math/normal_rule.hpp"

#include <cmath>

#include "suffice/math/eigen.hpp"

namespace suffice {

NormalRule normal_rule(std::size_t count) {
    std::vector<double> jacobi(count * count);
    for (std::size_t k = 1; k < count; ++k)
        jacobi[k * count + k - 1] = jacobi[(k - 1) * count + k] = std::sqrt(static_cast<double>(k));
    NormalRule rule{std::vector<double>(count), std::vector<double>(count)};
    symmetric_eigen(jacobi, count, rule.at);
    for (std::size_t i = 0; i < count; ++i) rule.weight[i] = jacobi[i * count] * jacobi[i * count];
    return rule;
}

}  // namespace suffice
