// Gaussian vectors with one variance for all columns: the arithmetic behind gaussian_vector_spherical.hpp.
#include "suffice/family/gaussian_vector_spherical.hpp"

#include <cmath>
#include <numbers>

#include "suffice/family/vectors.hpp"

namespace suffice {

double GaussianVectorSpherical::Statistic::move_mean(std::span<const double> to, double share) {
    double squared = 0;
    for (std::size_t j = 0; j < mean.size(); ++j) {
        const double way = to[j] - mean[j];
        squared += way * way;
        mean[j] += way * share;
    }
    return squared;
}

void GaussianVectorSpherical::Statistic::merge(const Statistic& from) {
    const double sum = total_weight + from.total_weight;
    if (sum == 0) return;  // empty + empty is empty, not NaN
    const double share = from.total_weight / sum;
    scatter += from.scatter + move_mean(from.mean, share) * total_weight * share;
    total_weight = sum;
}

void GaussianVectorSpherical::Statistic::remove(const Statistic& rows) {
    const double rest = difference(total_weight, rows.total_weight);
    if (rest == 0) return scale(0);
    const double ratio = rows.total_weight / rest;
    scatter = square_difference(scatter, rows.scatter + move_mean(rows.mean, -ratio) * total_weight * ratio);
    total_weight = rest;
}

void GaussianVectorSpherical::Statistic::scale(double factor) {
    total_weight *= factor;
    scatter *= factor;
    if (factor == 0) mean.assign(mean.size(), 0.0);
}

bool GaussianVectorSpherical::supports(Value x) const { return x.size() == dimension && all_finite(x); }

void GaussianVectorSpherical::observe(Statistic& into, Value x, double weight) const {
    const double sum = into.total_weight + weight;
    if (sum == 0) return;
    const double share = weight / sum;
    into.scatter += into.move_mean(x, share) * into.total_weight * share;
    into.total_weight = sum;
}

bool GaussianVectorSpherical::valid(const Statistic& s) const {
    return s.mean.size() == dimension && all_finite(s.mean) && s.total_weight >= 0 && std::isfinite(s.total_weight) &&
           s.scatter >= 0 && std::isfinite(s.scatter);
}
bool GaussianVectorSpherical::valid(const Parameter& p) const {
    return p.mean.size() == dimension && all_finite(p.mean) && p.variance > 0 && std::isfinite(p.variance);
}

Result<GaussianVectorSpherical::Parameter> GaussianVectorSpherical::most_likely(const Statistic& s) const {
    if (!(s.total_weight > 0)) return Error{"gaussian_vector_spherical: no rows to estimate from"};
    return Parameter{s.mean, s.scatter / (width() * s.total_weight)};
}
Result<GaussianVectorSpherical::Parameter> GaussianVectorSpherical::unbiased(const Statistic& s) const {
    if (!(s.total_weight > 1))
        return Error{"gaussian_vector_spherical: an unbiased variance needs a total weight above 1"};
    return Parameter{s.mean, s.scatter / (width() * (s.total_weight - 1))};
}
double GaussianVectorSpherical::spread(const Statistic& s) const {
    return s.total_weight > 0 ? s.scatter / (width() * s.total_weight) : 0;
}

double GaussianVectorSpherical::log_density(const Parameter& p, Value x) const {
    return -0.5 * (width() * (log_two_pi + std::log(p.variance)) + squared_length(minus(x, p.mean)) / p.variance);
}
double GaussianVectorSpherical::log_likelihood(const Parameter& p, const Statistic& s) const {
    return s.total_weight * log_density(p, s.mean) - 0.5 * s.scatter / p.variance;
}

std::vector<double> GaussianVectorSpherical::variance(const Parameter& p) const {
    return diagonal_matrix(std::vector<double>(dimension, p.variance));
}
std::vector<double> GaussianVectorSpherical::sample(const Parameter& p, Rng& rng) const {
    std::vector<double> x(p.mean);
    for (double& v : x) v += std::sqrt(p.variance) * sample_normal(rng);
    return x;
}

bool GaussianVectorSpherical::valid(const Prior& prior) const {
    return prior.mean.size() == dimension && all_finite(prior.mean) &&
           Gaussian{}.valid(Gaussian::Prior{0, prior.mean_weight, prior.shape, prior.rate});
}

GaussianVectorSpherical::Prior GaussianVectorSpherical::posterior(const Prior& prior, const Statistic& s) const {
    Statistic all{prior.mean_weight, prior.mean, 2 * prior.rate};
    all.merge(s);
    return {std::move(all.mean), all.total_weight, prior.shape + 0.5 * width() * s.total_weight, all.scatter / 2};
}

Result<GaussianVectorSpherical::Parameter> GaussianVectorSpherical::most_probable(const Prior& prior) const {
    const double divisor = prior.shape - 1 + width() / 2;
    if (!(divisor > 0))
        return Error{"gaussian_vector_spherical: the prior has a mode only where its shape is above 1 - dimension / 2"};
    return Parameter{prior.mean, prior.rate / divisor};
}

std::vector<double> GaussianVectorSpherical::prior_covariance(const Prior& prior) const {
    const auto one = Gaussian{}.prior_covariance({0, prior.mean_weight, prior.shape, prior.rate});
    std::vector<double> diagonal(dimension + 1, one[0]);
    diagonal[dimension] = one[3];
    return diagonal_matrix(diagonal);
}

double GaussianVectorSpherical::log_prior_density(const Prior& prior, const Parameter& p) const {
    return log_density({prior.mean, p.variance / prior.mean_weight}, p.mean) + prior.shape * std::log(prior.rate) -
           log_gamma(prior.shape) - (prior.shape - 1) * std::log(p.variance) - prior.rate / p.variance;
}

GaussianVectorSpherical::Parameter GaussianVectorSpherical::draw(const Prior& prior, Rng& rng) const {
    const double variance = prior.rate / sample_gamma(prior.shape, rng);
    return {sample({prior.mean, variance / prior.mean_weight}, rng), variance};
}

double GaussianVectorSpherical::log_predictive(const Prior& prior, Value x) const {
    const double half = width() / 2, spread = 2 * prior.rate * (1 + 1 / prior.mean_weight);
    return log_gamma(half) - log_beta(half, prior.shape) - half * std::log(std::numbers::pi * spread) -
           (prior.shape + half) * std::log1p(squared_length(minus(x, prior.mean)) / spread);
}

double GaussianVectorSpherical::log_evidence(const Prior& prior, const Statistic& s) const {
    const Prior post = posterior(prior, s);
    return log_gamma(post.shape) - log_gamma(prior.shape) + prior.shape * std::log(prior.rate) -
           post.shape * std::log(post.rate) +
           0.5 * width() * (std::log(prior.mean_weight / post.mean_weight) - s.total_weight * log_two_pi);
}

void GaussianVectorSpherical::write_features(Value x, std::span<double> out) const {
    std::ranges::copy(x, out.begin());
    out[dimension] = squared_length(x);
}
void GaussianVectorSpherical::write_natural(const Parameter& p, std::span<double> out) const {
    for (std::size_t j = 0; j < dimension; ++j) out[j] = p.mean[j] / p.variance;
    out[dimension] = -0.5 / p.variance;
}
Result<GaussianVectorSpherical::Parameter> GaussianVectorSpherical::from_natural(
    std::span<const double> natural) const {
    if (!(natural[dimension] < 0 && all_finite(natural)))
        return Error{"gaussian_vector_spherical: natural parameters must be finite and the last one negative"};
    Parameter p{std::vector<double>(dimension), -0.5 / natural[dimension]};
    for (std::size_t j = 0; j < dimension; ++j) p.mean[j] = natural[j] * p.variance;
    return p;
}
double GaussianVectorSpherical::log_partition(const Parameter& p) const {
    return 0.5 * (squared_length(p.mean) / p.variance + width() * std::log(p.variance));
}
void GaussianVectorSpherical::write_mean_features(const Parameter& p, std::span<double> out) const {
    write_features(p.mean, out);
    out[dimension] += width() * p.variance;
}
void GaussianVectorSpherical::write_feature_covariance(const Parameter& p, std::span<double> out) const {
    const std::size_t n = feature_count();
    std::ranges::fill(out.first(n * n), 0.0);
    for (std::size_t j = 0; j < dimension; ++j) {
        out[j * n + j] = p.variance;
        out[j * n + dimension] = out[dimension * n + j] = 2 * p.mean[j] * p.variance;
    }
    out[n * n - 1] = 2 * p.variance * (width() * p.variance + 2 * squared_length(p.mean));
}

}  // namespace suffice
