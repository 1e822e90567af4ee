// The Wishart distribution of a precision matrix: density, evidence, predictive, draws.
#include "suffice/family/wishart.hpp"

#include <cmath>
#include <numbers>

#include "suffice/math/cholesky.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

namespace {

// Empty where the matrix is not positive definite; every formula below then gives NaN.
std::vector<double> scale_factor_of(std::span<const double> matrix, std::size_t d) {
    std::vector<double> factor(matrix.begin(), matrix.end());
    if (!factorize(factor, d)) factor.assign(d * d, std::nan(""));
    return factor;
}

}  // namespace

bool valid_wishart(double degrees, std::span<const double> scatter, std::size_t d) {
    if (!(degrees > static_cast<double>(d) - 1) || !std::isfinite(degrees) || scatter.size() != d * d) return false;
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (scatter[i * d + j] != scatter[j * d + i]) return false;
    std::vector<double> factor(scatter.begin(), scatter.end());
    return factorize(factor, d);
}

double trace_of_ratio(std::span<const double> factor, std::span<const double> b, std::size_t d) {
    std::vector<double> row(d);
    double trace = 0;
    for (std::size_t i = 0; i < d; ++i) {
        row.assign(b.begin() + static_cast<std::ptrdiff_t>(i * d), b.begin() + static_cast<std::ptrdiff_t>(i * d + d));
        solve_factorized(factor, row);
        trace += row[i];
    }
    return trace;
}

double log_wishart_density(double degrees, std::span<const double> scatter, std::span<const double> covariance_factor,
                           std::size_t d) {
    const auto width = static_cast<double>(d);
    return -0.5 * (degrees - width - 1) * log_determinant(covariance_factor, d) -
           0.5 * trace_of_ratio(covariance_factor, scatter, d) +
           0.5 * degrees * (log_determinant(scale_factor_of(scatter, d), d) - width * std::numbers::ln2) -
           multivariate_log_gamma(d, degrees / 2);
}

// Bartlett (1933): U U' is Wishart(degrees, I) for U upper triangular with squares of chi variables on its diagonal and
// normals above it. With S = C C' the precision is C^-T U U' C^-1, so that the covariance has the lower factor C U^-T.
std::vector<double> draw_wishart(double degrees, std::span<const double> scatter, std::size_t d, Rng& rng) {
    std::vector<double> transposed(d * d);  // U', lower
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < i; ++j) transposed[i * d + j] = sample_normal(rng);
        transposed[i * d + i] = std::sqrt(sample_chi_square(degrees - static_cast<double>(d - 1 - i), rng));
    }
    std::vector<double> factor = scale_factor_of(scatter, d);
    for (std::size_t i = 0; i < d; ++i) solve_upper(transposed, std::span(factor).subspan(i * d, d));
    return factor;
}

std::vector<double> wishart_covariance(double degrees, std::span<const double> scatter, std::size_t d) {
    std::vector<double> scale(d * d);
    inverse(scale_factor_of(scatter, d), d, scale);
    std::vector<double> covariance;
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            for (std::size_t k = 0; k < d; ++k)
                for (std::size_t l = 0; l <= k; ++l)
                    covariance.push_back(degrees *
                                         (scale[i * d + k] * scale[j * d + l] + scale[i * d + l] * scale[j * d + k]));
    return covariance;
}

double log_wishart_evidence(double degrees_before, std::span<const double> scatter_before, double degrees_after,
                            std::span<const double> scatter_after, std::size_t d) {
    const double weight = degrees_after - degrees_before;
    return multivariate_log_gamma(d, degrees_after / 2) - multivariate_log_gamma(d, degrees_before / 2) +
           0.5 * (degrees_before * log_determinant(scale_factor_of(scatter_before, d), d) -
                  degrees_after * log_determinant(scale_factor_of(scatter_after, d), d) -
                  weight * static_cast<double>(d) * std::log(std::numbers::pi));
}

double log_wishart_predictive(double degrees, std::span<const double> scatter, std::span<const double> shift,
                              double share) {
    const std::size_t d = shift.size();
    const double half = static_cast<double>(d) / 2;
    const std::vector<double> factor = scale_factor_of(scatter, d);
    return log_gamma(half) - log_beta(half, (degrees + 1) / 2 - half) + half * std::log(share / std::numbers::pi) -
           0.5 * log_determinant(factor, d) - 0.5 * (degrees + 1) * std::log1p(share * squared_distance(factor, shift));
}

}  // namespace suffice
