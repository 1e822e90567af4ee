// Symmetric, finite, and every eigenvalue above zero.
#include "suffice/math/covariance_check.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "suffice/math/eigen.hpp"

namespace suffice {
namespace {

// To six digits: the last ones depend on the order of sums, and so on the processor.
std::string eigenvalue_text(double value) {
    std::array<char, 32> letters{};
    const auto end =
        std::to_chars(letters.data(), letters.data() + letters.size(), value, std::chars_format::general, 6).ptr;
    return {letters.data(), end};
}

}  // namespace

Result<void> check_covariance(std::span<const double> covariance, std::size_t d, const std::string& which) {
    if (covariance.size() != d * d) return Error(which + " must have " + std::to_string(d) + " rows and columns");
    if (!std::ranges::all_of(covariance, [](double each) { return std::isfinite(each); }))
        return Error(which + " has a number that is not finite");
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!(std::abs(covariance[i * d + j] - covariance[j * d + i]) <=
                  1e-9 * std::sqrt(std::abs(covariance[i * (d + 1)] * covariance[j * (d + 1)]))))
                return Error(which + " is not symmetric");
    // Whether it is positive definite is asked of the correlations: columns may have any units.
    std::vector<double> correlation(covariance.begin(), covariance.end()), values(d);
    bool definite = true;
    for (std::size_t i = 0; i < d; ++i) definite = definite && covariance[i * (d + 1)] > 0;
    for (std::size_t i = 0; i < d && definite; ++i)
        for (std::size_t j = 0; j < d; ++j)
            correlation[i * d + j] /= std::sqrt(covariance[i * (d + 1)]) * std::sqrt(covariance[j * (d + 1)]);
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * static_cast<double>(d);
    if (definite && symmetric_eigen(correlation, d, values) && values.front() > rounding) return {};
    std::vector<double> vectors(covariance.begin(), covariance.end());
    if (!symmetric_eigen(vectors, d, values)) return Error(which + " has no eigenvalues");
    const bool zero = std::abs(values.front()) <= rounding * std::abs(values.back());
    return Error(which + " is not positive definite: it has the eigenvalue " +
                 (zero ? "0" : eigenvalue_text(values.front())));
}

}  // namespace suffice
