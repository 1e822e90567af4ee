// The Wishart distribution of a precision matrix (d x d), the prior of Gaussian vectors:
//   log p(P | nu, S) = (nu - d - 1)/2 log|P| - tr(S P)/2 + nu/2 log|S| - nu d/2 log 2 - log Gamma_d(nu/2),   E[P] = nu
//   S^-1.
// S is the inverse of the usual scale matrix: a scatter, to which the scatter of the rows is added (Murphy 2022,
// sec. 4.6.3).
#pragma once
#include <span>
#include <vector>

#include "suffice/base/random.hpp"

namespace suffice {

// `degrees` is above dimension - 1 and finite, `scatter` (d x d) symmetric and positive definite.
bool valid_wishart(double degrees, std::span<const double> scatter, std::size_t dimension);

// The density at the precision whose inverse has the lower Cholesky factor `covariance_factor`.
double log_wishart_density(double degrees, std::span<const double> scatter, std::span<const double> covariance_factor,
                           std::size_t dimension);

// A draw, given as the lower Cholesky factor of its inverse.
std::vector<double> draw_wishart(double degrees, std::span<const double> scatter, std::size_t dimension, Rng& rng);

// Covariance of the entries of the lower triangle of the precision, row by row: d(d+1)/2 squared numbers.
std::vector<double> wishart_covariance(double degrees, std::span<const double> scatter, std::size_t dimension);

// log of the integral of the likelihood of (after.degrees - before.degrees) rows over the prior, mean known.
double log_wishart_evidence(double degrees_before, std::span<const double> scatter_before, double degrees_after,
                            std::span<const double> scatter_after, std::size_t dimension);

// log density of a row `shift` away from the known mean, covariance S / share: `share` is 1 where the mean is known and
// mean_weight / (mean_weight + 1) where it is not.
double log_wishart_predictive(double degrees, std::span<const double> scatter, std::span<const double> shift,
                              double share);

// tr(A^-1 B) for symmetric B, where `factor` is the lower Cholesky factor of A.
double trace_of_ratio(std::span<const double> factor, std::span<const double> b, std::size_t dimension);

}  // namespace suffice
