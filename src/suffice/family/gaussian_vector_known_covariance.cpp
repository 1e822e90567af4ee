// Gaussian vectors with a known covariance: the arithmetic behind gaussian_vector_known_covariance.hpp.
#include "suffice/family/gaussian_vector_known_covariance.hpp"

#include <cmath>

#include "suffice/family/gaussian.hpp"
#include "suffice/family/vectors.hpp"
#include "suffice/family/wishart.hpp"
#include "suffice/math/cholesky.hpp"

namespace suffice {

namespace {

// Empty of meaning where the matrix is not positive definite: every formula then gives NaN.
std::vector<double> factor_of(std::vector<double> matrix, std::size_t d) {
    if (!factorize(matrix, d)) matrix.assign(d * d, std::nan(""));
    return matrix;
}

}  // namespace

Result<GaussianVectorKnownCovariance> GaussianVectorKnownCovariance::with_covariance(std::vector<double> covariance) {
    GaussianVectorKnownCovariance family{std::move(covariance)};
    const std::size_t d = family.value_size();
    if (d == 0 || d * d != family.known_factor.size() || !factorize(family.known_factor, d))
        return Error{ErrorKind::singular,
                     "gaussian_vector_known_covariance: the covariance must be square and positive definite"};
    return family;
}

std::size_t GaussianVectorKnownCovariance::value_size() const {
    return static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(known_factor.size()))));
}
bool GaussianVectorKnownCovariance::supports(Value x) const { return x.size() == value_size() && all_finite(x); }
bool GaussianVectorKnownCovariance::valid(const Parameter& p) const {
    return p.mean.size() == value_size() && all_finite(p.mean);
}

Result<GaussianVectorKnownCovariance::Parameter> GaussianVectorKnownCovariance::most_likely(const Statistic& s) const {
    if (!(s.total_weight > 0)) return Error{"gaussian_vector_known_covariance: no rows to estimate from"};
    return Parameter{s.mean};
}

std::vector<double> GaussianVectorKnownCovariance::known_covariance() const {
    std::vector<double> covariance(known_factor.size());
    multiply_factor(known_factor, value_size(), covariance);
    return covariance;
}

// S + weight * prior covariance: weight times the covariance of the rows' mean, the prior's uncertainty included.
std::vector<double> GaussianVectorKnownCovariance::spread(const Prior& prior, double weight) const {
    std::vector<double> sum = known_covariance();
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * prior.covariance[i];
    return sum;
}

GaussianVectorKnownCovariance::Prior GaussianVectorKnownCovariance::default_prior() const {
    return {std::vector<double>(value_size()), diagonal_matrix(std::vector<double>(value_size(), 1.0))};
}
bool GaussianVectorKnownCovariance::valid(const Prior& prior) const {
    const std::size_t d = value_size();
    return prior.mean.size() == d && all_finite(prior.mean) &&
           valid_wishart(static_cast<double>(d), prior.covariance, d);
}

// With M = S + n C: mean + n C M^-1 (average - mean) and C M^-1 S, which subtracts nothing and inverts neither S nor C.
GaussianVectorKnownCovariance::Prior GaussianVectorKnownCovariance::posterior(const Prior& prior,
                                                                              const Statistic& s) const {
    if (s.total_weight == 0) return prior;
    const std::size_t d = value_size();
    const auto factor = factor_of(spread(prior, s.total_weight), d);
    std::vector<double> way = minus(s.mean, prior.mean);
    solve_factorized(factor, way);
    Prior post{prior.mean, known_covariance()};
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) post.mean[i] += s.total_weight * prior.covariance[i * d + j] * way[j];
    for (std::size_t i = 0; i < d; ++i) solve_factorized(factor, std::span(post.covariance).subspan(i * d, d));
    const std::vector<double> ratio = post.covariance;  // S M^-1
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double above = 0, below = 0;  // equal but for rounding
            for (std::size_t k = 0; k < d; ++k) {
                below += ratio[i * d + k] * prior.covariance[k * d + j];
                above += ratio[j * d + k] * prior.covariance[k * d + i];
            }
            post.covariance[i * d + j] = post.covariance[j * d + i] = 0.5 * (above + below);
        }
    return post;
}

double GaussianVectorKnownCovariance::log_prior_density(const Prior& prior, const Parameter& p) const {
    return full().log_density({prior.mean, factor_of(prior.covariance, value_size())}, p.mean);
}
GaussianVectorKnownCovariance::Parameter GaussianVectorKnownCovariance::draw(const Prior& prior, Rng& rng) const {
    return {full().sample({prior.mean, factor_of(prior.covariance, value_size())}, rng)};
}
double GaussianVectorKnownCovariance::log_predictive(const Prior& prior, Value x) const {
    return full().log_density({prior.mean, factor_of(spread(prior, 1), value_size())}, x);
}

// The rows around their mean, and that mean around the prior's.
double GaussianVectorKnownCovariance::log_evidence(const Prior& prior, const Statistic& s) const {
    const std::size_t d = value_size();
    const auto factor = factor_of(spread(prior, s.total_weight), d);
    return full().log_likelihood({s.mean, known_factor}, s) -
           0.5 * (log_determinant(factor, d) - log_determinant(known_factor, d) +
                  s.total_weight * squared_distance(factor, minus(s.mean, prior.mean)));
}

void GaussianVectorKnownCovariance::write_features(Value x, std::span<double> out) const {
    std::ranges::copy(x, out.begin());
}
void GaussianVectorKnownCovariance::write_natural(const Parameter& p, std::span<double> out) const {
    std::ranges::copy(p.mean, out.begin());
    solve_factorized(known_factor, out.first(value_size()));
}
Result<GaussianVectorKnownCovariance::Parameter> GaussianVectorKnownCovariance::from_natural(
    std::span<const double> natural) const {
    const std::size_t d = value_size();
    const auto covariance = known_covariance();
    Parameter p{std::vector<double>(d)};
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) p.mean[i] += covariance[i * d + j] * natural[j];
    if (!valid(p)) return Error{"gaussian_vector_known_covariance: a natural parameter is not finite"};
    return p;
}
double GaussianVectorKnownCovariance::log_partition(const Parameter& p) const {
    return 0.5 * squared_distance(known_factor, p.mean);
}
void GaussianVectorKnownCovariance::write_mean_features(const Parameter& p, std::span<double> out) const {
    std::ranges::copy(p.mean, out.begin());
}
void GaussianVectorKnownCovariance::write_feature_covariance(const Parameter&, std::span<double> out) const {
    std::ranges::copy(known_covariance(), out.begin());
}
double GaussianVectorKnownCovariance::log_carrier(Value x) const {
    return full().log_density({std::vector<double>(value_size()), known_factor}, x);
}
double GaussianVectorKnownCovariance::expected_log_carrier(const Parameter& p) const {
    const auto width = static_cast<double>(value_size());
    return -0.5 * (width * (log_two_pi + 1) + log_determinant(known_factor, value_size())) - log_partition(p);
}

}  // namespace suffice
