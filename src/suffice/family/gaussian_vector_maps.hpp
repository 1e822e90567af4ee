// What one does with a Gaussian vector: some of its columns, the rest given some, a linear map of it, distances from
// it. Formulas: Bishop (2006), sec. 2.3.1 - 2.3.3.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "suffice/base/matrix.hpp"
#include "suffice/family/gaussian_vector.hpp"

namespace suffice {

// From a mean and a covariance (d x d, row by row); an Error where it is not positive definite.
Result<GaussianVector::Parameter> gaussian_from_covariance(std::vector<double> mean, std::vector<double> covariance);

// The Gaussian of `columns`, in that order. Positive definite, because the whole is.
Result<GaussianVector::Parameter> marginal(const GaussianVector::Parameter& p, std::span<const std::uint32_t> columns);

// The Gaussian of the other columns, ascending, given that `columns` have these values:
//   mean_a + S_ab S_bb^-1 (x_b - mean_b),  S_aa - S_ab S_bb^-1 S_ba.
Result<GaussianVector::Parameter> conditional(const GaussianVector::Parameter& p,
                                              std::span<const std::uint32_t> columns, std::span<const double> values);

// y = A x + b + n. Empty vectors stand for zero; `cross` is Cov(x, n), empty where the noise is independent of x.
struct AffineMap {
    Matrix matrix;                         // A: m x d
    std::vector<double> offset;            // b: m
    std::vector<double> noise_mean;        // m
    std::vector<double> noise;             // Cov(n): m x m
    std::vector<double> cross_covariance;  // Cov(x, n): d x m
};

// The Gaussian of y: mean A m + b + mean of n, covariance A S A' + Cov(n) + A Cov(x, n) + (A Cov(x, n))'.
Result<GaussianVector::Parameter> affine_map(const GaussianVector::Parameter& p, const AffineMap& map);

// (x - m)' S^-1 (x - m).
double squared_mahalanobis(const GaussianVector::Parameter& p, std::span<const double> x);

// KL(p, q) = E_p[log p - log q], in nats.
double divergence(const GaussianVector::Parameter& p, const GaussianVector::Parameter& q);

}  // namespace suffice
