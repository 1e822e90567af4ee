// Gaussian vectors with full covariance: the arithmetic behind gaussian_vector.hpp.
#include "suffice/family/gaussian_vector.hpp"

#include <cmath>
#include <limits>

#include "suffice/family/gaussian.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/family/vectors.hpp"
#include "suffice/family/wishart.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {

void GaussianVector::Statistic::move_mean(std::span<const double> to, double share, double spread) {
    const std::size_t d = mean.size();
    const std::vector<double> way = minus(to, mean);
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) scatter[i * d + j] += way[i] * way[j] * spread;
    for (std::size_t i = 0; i < d; ++i) mean[i] += way[i] * share;
}

void GaussianVector::Statistic::merge(const Statistic& from) {
    const double sum = total_weight + from.total_weight;
    if (sum == 0) return;  // empty + empty is empty, not NaN
    for (std::size_t i = 0; i < scatter.size(); ++i) scatter[i] += from.scatter[i];
    move_mean(from.mean, from.total_weight / sum, total_weight * (from.total_weight / sum));
    total_weight = sum;
}

void GaussianVector::Statistic::remove(const Statistic& rows) {
    const double rest = difference(total_weight, rows.total_weight);
    if (rest == 0) return scale(0);
    const std::vector<double> before(scatter);
    for (std::size_t i = 0; i < scatter.size(); ++i) scatter[i] -= rows.scatter[i];
    move_mean(rows.mean, -rows.total_weight / rest, -total_weight * (rows.total_weight / rest));
    for (std::size_t i = 0; i < scatter.size(); i += mean.size() + 1)
        scatter[i] = square_difference(before[i], before[i] - scatter[i]);
    total_weight = rest;
}

void GaussianVector::Statistic::scale(double factor) {
    total_weight *= factor;
    for (double& s : scatter) s *= factor;
    if (factor == 0) mean.assign(mean.size(), 0.0);
}

std::vector<double> GaussianVector::Statistic::scatter_around(std::span<const double> centre) const {
    Statistic around = *this;
    around.move_mean(centre, 0, total_weight);
    return std::move(around.scatter);
}

bool GaussianVector::supports(Value x) const { return x.size() == dimension && all_finite(x); }

void GaussianVector::observe(Statistic& into, Value x, double weight) const {
    const double sum = into.total_weight + weight;
    if (sum == 0) return;
    into.move_mean(x, weight / sum, into.total_weight * (weight / sum));
    into.total_weight = sum;
}

bool GaussianVector::valid(const Statistic& s) const {
    if (!(s.total_weight >= 0) || !std::isfinite(s.total_weight)) return false;
    if (s.mean.size() != dimension || s.scatter.size() != dimension * dimension) return false;
    if (!all_finite(s.mean) || !all_finite(s.scatter)) return false;
    for (std::size_t i = 0; i < dimension; ++i)
        if (s.scatter[i * dimension + i] < 0) return false;
    return true;
}

bool GaussianVector::valid(const Parameter& p) const {
    if (p.mean.size() != dimension || p.factor.size() != dimension * dimension) return false;
    if (!all_finite(p.mean) || !all_finite(p.factor)) return false;
    for (std::size_t i = 0; i < dimension; ++i) {
        if (!(p.factor[i * dimension + i] > 0)) return false;
        for (std::size_t j = i + 1; j < dimension; ++j)
            if (p.factor[i * dimension + j] != 0) return false;
    }
    return true;
}

Result<GaussianVector::Parameter> GaussianVector::with_divisor(const std::vector<double>& mean,
                                                               const std::vector<double>& scatter,
                                                               double divisor) const {
    std::vector<double> covariance(scatter);
    for (double& c : covariance) c /= divisor;
    if (!factorize(covariance, dimension))
        return Error{ErrorKind::singular, "gaussian_vector: the covariance is singular; it must be positive definite"};
    return Parameter{mean, std::move(covariance)};
}

Result<GaussianVector::Parameter> GaussianVector::most_likely(const Statistic& s) const {
    if (!(s.total_weight > 0)) return Error{"gaussian_vector: no rows to estimate from"};
    return with_divisor(s.mean, s.scatter, s.total_weight);
}

Result<GaussianVector::Parameter> GaussianVector::unbiased(const Statistic& s) const {
    if (!(s.total_weight > 1)) return Error{"gaussian_vector: an unbiased covariance needs a total weight above 1"};
    return with_divisor(s.mean, s.scatter, s.total_weight - 1);
}

double GaussianVector::log_constant(const Parameter& p) const {
    return -0.5 * (static_cast<double>(dimension) * log_two_pi + log_determinant(p.factor, dimension));
}

double GaussianVector::log_density(const Parameter& p, Value x) const {
    return log_constant(p) - 0.5 * squared_distance(p.factor, minus(x, p.mean));
}

// The sum of w z' S^-1 z is the trace of S^-1 (scatter around p.mean).
double GaussianVector::log_likelihood(const Parameter& p, const Statistic& s) const {
    return s.total_weight * log_constant(p) - 0.5 * trace_of_ratio(p.factor, s.scatter_around(p.mean), dimension);
}

std::vector<double> GaussianVector::variance(const Parameter& p) const {
    std::vector<double> covariance(dimension * dimension);
    multiply_factor(p.factor, dimension, covariance);
    return covariance;
}

std::vector<double> GaussianVector::sample(const Parameter& p, Rng& rng) const {
    std::vector<double> z(dimension), x(p.mean);
    for (double& v : z) v = sample_normal(rng);
    for (std::size_t i = 0; i < dimension; ++i)
        for (std::size_t k = 0; k <= i; ++k) x[i] += p.factor[i * dimension + k] * z[k];
    return x;
}

GaussianVector::Prior GaussianVector::default_prior() const {
    const auto degrees = static_cast<double>(dimension) + 1;
    Prior prior{std::vector<double>(dimension), 1, degrees, std::vector<double>(dimension * dimension)};
    for (std::size_t i = 0; i < dimension; ++i) prior.scatter[i * dimension + i] = degrees;
    return prior;
}

bool GaussianVector::valid(const Prior& prior) const {
    return prior.mean.size() == dimension && all_finite(prior.mean) && prior.mean_weight > 0 &&
           std::isfinite(prior.mean_weight) && valid_wishart(prior.degrees, prior.scatter, dimension);
}

GaussianVector::Prior GaussianVector::posterior(const Prior& prior, const Statistic& s) const {
    Statistic all{prior.mean_weight, prior.mean, prior.scatter};
    all.merge(s);
    return {std::move(all.mean), all.total_weight, prior.degrees + s.total_weight, std::move(all.scatter)};
}

Result<GaussianVector::Parameter> GaussianVector::most_probable(const Prior& prior) const {
    const double divisor = prior.degrees - static_cast<double>(dimension);
    if (!(divisor > 0))
        return Error{"gaussian_vector: the prior has a mode only where its degrees are above the dimension"};
    return with_divisor(prior.mean, prior.scatter, divisor);
}

Result<GaussianVector::Parameter> GaussianVector::expected(const Prior& prior) const {
    return with_divisor(prior.mean, prior.scatter, prior.degrees);
}

std::vector<double> GaussianVector::prior_covariance(const Prior& prior) const {
    const std::size_t d = dimension, n = feature_count(), triangle = n - d;
    const double divisor = prior.mean_weight * (prior.degrees - static_cast<double>(d) - 1);
    const auto precision = wishart_covariance(prior.degrees, prior.scatter, d);
    std::vector<double> covariance(n * n);
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j)
            covariance[i * n + j] =
                divisor > 0 ? prior.scatter[i * d + j] / divisor : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < triangle; ++i)
        for (std::size_t j = 0; j < triangle; ++j) covariance[(d + i) * n + d + j] = precision[i * triangle + j];
    return covariance;
}

double GaussianVector::log_prior_density(const Prior& prior, const Parameter& p) const {
    Parameter of_mean{prior.mean, p.factor};
    for (double& f : of_mean.factor) f /= std::sqrt(prior.mean_weight);
    return log_density(of_mean, p.mean) + log_wishart_density(prior.degrees, prior.scatter, p.factor, dimension);
}

GaussianVector::Parameter GaussianVector::draw(const Prior& prior, Rng& rng) const {
    Parameter drawn{prior.mean, draw_wishart(prior.degrees, prior.scatter, dimension, rng)};
    Parameter of_mean = drawn;
    for (double& f : of_mean.factor) f /= std::sqrt(prior.mean_weight);
    drawn.mean = sample(of_mean, rng);
    return drawn;
}

double GaussianVector::log_predictive(const Prior& prior, Value x) const {
    return log_wishart_predictive(prior.degrees, prior.scatter, minus(x, prior.mean),
                                  prior.mean_weight / (prior.mean_weight + 1));
}

double GaussianVector::log_evidence(const Prior& prior, const Statistic& s) const {
    const Prior post = posterior(prior, s);
    return log_wishart_evidence(prior.degrees, prior.scatter, post.degrees, post.scatter, dimension) +
           0.5 * static_cast<double>(dimension) * std::log(prior.mean_weight / post.mean_weight);
}

void GaussianVector::write_features(Value x, std::span<double> out) const {
    std::size_t at = dimension;
    for (std::size_t i = 0; i < dimension; ++i) {
        out[i] = x[i];
        for (std::size_t j = 0; j <= i; ++j) out[at++] = x[i] * x[j];
    }
}

void GaussianVector::write_natural(const Parameter& p, std::span<double> out) const {
    std::vector<double> precision(dimension * dimension), linear(p.mean);
    inverse(p.factor, dimension, precision);
    solve_factorized(p.factor, linear);
    std::size_t at = dimension;
    for (std::size_t i = 0; i < dimension; ++i) {
        out[i] = linear[i];
        for (std::size_t j = 0; j <= i; ++j) out[at++] = (i == j ? -0.5 : -1) * precision[i * dimension + j];
    }
}

Result<GaussianVector::Parameter> GaussianVector::from_natural(std::span<const double> natural) const {
    const std::size_t d = dimension;
    if (!all_finite(natural)) return Error{"gaussian_vector: the natural parameters must be finite numbers"};
    std::vector<double> precision(d * d), mean(natural.begin(), natural.begin() + static_cast<std::ptrdiff_t>(d));
    std::size_t at = d;
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j <= i; ++j) precision[i * d + j] = (i == j ? -2 : -1) * natural[at++];
    if (!factorize(precision, d))
        return Error{"gaussian_vector: the natural parameters of x x' must form a negative definite matrix"};
    solve_factorized(precision, mean);
    std::vector<double> covariance(d * d);
    inverse(precision, d, covariance);
    return with_divisor(mean, covariance, 1);
}

double GaussianVector::log_partition(const Parameter& p) const {
    return 0.5 * (squared_distance(p.factor, p.mean) + log_determinant(p.factor, dimension));
}

void GaussianVector::write_mean_features(const Parameter& p, std::span<double> out) const {
    write_features(p.mean, out);
    const auto covariance = variance(p);
    std::size_t at = dimension;
    for (std::size_t i = 0; i < dimension; ++i)
        for (std::size_t j = 0; j <= i; ++j) out[at++] += covariance[i * dimension + j];
}

// Isserlis (1918): the fourth moments of a Gaussian from its mean and covariance.
void GaussianVector::write_feature_covariance(const Parameter& p, std::span<double> out) const {
    const std::size_t d = dimension, n = feature_count();
    const auto covariance = variance(p);
    const auto s = [&](std::size_t i, std::size_t j) { return covariance[i * d + j]; };
    const auto& m = p.mean;
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < d; ++j) out[i * n + j] = s(i, j);
        std::size_t column = d;
        for (std::size_t k = 0; k < d; ++k)
            for (std::size_t l = 0; l <= k; ++l, ++column)
                out[i * n + column] = out[column * n + i] = m[k] * s(i, l) + m[l] * s(i, k);
    }
    std::size_t row = d;
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j <= i; ++j, ++row) {
            std::size_t column = d;
            for (std::size_t k = 0; k < d; ++k)
                for (std::size_t l = 0; l <= k; ++l, ++column)
                    out[row * n + column] = s(i, k) * s(j, l) + s(i, l) * s(j, k) + m[i] * m[k] * s(j, l) +
                                            m[i] * m[l] * s(j, k) + m[j] * m[k] * s(i, l) + m[j] * m[l] * s(i, k);
        }
}

double GaussianVector::log_carrier(Value) const { return -0.5 * static_cast<double>(dimension) * log_two_pi; }
double GaussianVector::expected_log_carrier(const Parameter&) const { return log_carrier({}); }

}  // namespace suffice
