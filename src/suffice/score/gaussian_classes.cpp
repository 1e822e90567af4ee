// Densities, marginals and samples of Gaussian class-conditionals.
#include "suffice/score/gaussian_classes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "suffice/math/cholesky.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

std::vector<double> GaussianClasses::covariance(std::size_t of_group) const {
    std::vector<double> full(dimension * dimension);
    if (diagonal) {
        for (std::size_t i = 0; i < dimension; ++i) full[i * (dimension + 1)] = shape[of_group][i];
    } else {
        multiply_factor(shape[of_group], dimension, full);
    }
    return full;
}

double GaussianClasses::log_determinant(std::size_t of_group) const {
    if (!diagonal) return suffice::log_determinant(shape[of_group], dimension);
    double sum = 0;
    for (double variance : shape[of_group]) sum += std::log(variance);
    return sum;
}

long double GaussianClasses::log_density_at(std::size_t of_class, long double squared, double log_determinant) const {
    const double d = static_cast<double>(dimension);
    if (degrees.empty()) return -0.5L * (d * std::log(2 * std::numbers::pi) + log_determinant + squared);
    const double nu = degrees[of_class], s = stretch[of_class];
    return log_gamma((nu + d) / 2) - log_gamma(nu / 2) - d / 2 * std::log(nu * std::numbers::pi * s) -
           0.5 * log_determinant - (nu + d) / 2 * std::log1p(squared / (static_cast<long double>(s) * nu));
}

long double GaussianClasses::squared_distance(std::size_t of_class, std::span<const double> x) const {
    const auto& factor = shape[group[of_class]];
    long double sum = 0;
    if (diagonal) {
        for (std::size_t i = 0; i < dimension; ++i) {
            const long double z = static_cast<long double>(x[i]) - mean[of_class][i];
            sum += z * z / factor[i];
        }
        return sum;
    }
    std::vector<long double> z(dimension);
    for (std::size_t i = 0; i < dimension; ++i) {
        z[i] = static_cast<long double>(x[i]) - mean[of_class][i];
        for (std::size_t k = 0; k < i; ++k) z[i] -= factor[i * dimension + k] * z[k];
        z[i] /= factor[i * dimension + i];
        sum += z[i] * z[i];
    }
    return sum;
}

long double GaussianClasses::log_density(std::size_t of_class, std::span<const double> x) const {
    return log_density_at(of_class, squared_distance(of_class, x), log_determinant(group[of_class]));
}

GaussianClasses GaussianClasses::marginal(std::span<const std::uint32_t> present) const {
    GaussianClasses part = *this;
    part.dimension = present.size();
    for (std::size_t c = 0; c < class_count(); ++c) {
        part.mean[c].clear();
        for (auto i : present) part.mean[c].push_back(mean[c][i]);
    }
    for (std::size_t g = 0; g < group_count(); ++g) {
        auto& small = part.shape[g];
        small.clear();
        if (diagonal) {
            for (auto i : present) small.push_back(shape[g][i]);
            continue;
        }
        const auto full = covariance(g);
        for (auto i : present)
            for (auto j : present) small.push_back(full[i * dimension + j]);
        factorize(small, present.size());  // a principal minor of a positive definite matrix is one too
    }
    return part;
}

std::vector<double> GaussianClasses::precision(std::size_t of_group) const {
    std::vector<double> full(dimension * dimension);
    if (diagonal) {
        for (std::size_t i = 0; i < dimension; ++i) full[i * (dimension + 1)] = 1 / shape[of_group][i];
    } else {
        inverse(shape[of_group], dimension, full);
    }
    return full;
}

std::vector<double> GaussianClasses::pulls(std::size_t of_class, std::span<const double> x) const {
    std::vector<double> z(dimension);
    for (std::size_t i = 0; i < dimension; ++i) z[i] = x[i] - mean[of_class][i];
    std::vector<double> pull = z;
    const auto& factor = shape[group[of_class]];
    if (diagonal) {
        for (std::size_t i = 0; i < dimension; ++i) pull[i] /= factor[i];
    } else {
        solve_factorized(factor, pull);
    }
    for (std::size_t i = 0; i < dimension; ++i) pull[i] *= -0.5 * z[i];
    return pull;
}

}  // namespace suffice
