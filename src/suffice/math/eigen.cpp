// The eigen-decomposition with the signs of the vectors settled.
#include "suffice/math/eigen.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/kernel/linear_algebra.hpp"

namespace suffice {

bool symmetric_eigen(std::span<double> a, std::size_t d, std::span<double> values) {
    if (!kernel::symmetric_eigen(a, d, values)) return false;
    for (std::size_t i = 0; i < d; ++i) {
        const std::span<double> vector = a.subspan(i * d, d);
        const double peak = *std::ranges::max_element(vector, {}, [](double entry) { return std::abs(entry); });
        if (peak >= 0) continue;
        for (double& entry : vector) entry = -entry;
    }
    return true;
}

}  // namespace suffice
