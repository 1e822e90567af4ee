// Gaussian vectors with a known mean: the arithmetic behind gaussian_vector_known_mean.hpp.
#include "suffice/family/gaussian_vector_known_mean.hpp"

#include <cmath>

#include "suffice/family/gaussian.hpp"
#include "suffice/family/gaussian_vector.hpp"
#include "suffice/family/vectors.hpp"
#include "suffice/family/wishart.hpp"
#include "suffice/math/cholesky.hpp"

namespace suffice {

namespace {

// Divides and factorises; the family's Gaussian is the full one around its known mean.
Result<GaussianVectorKnownMean::Parameter> factored(std::vector<double> scatter, double divisor, std::size_t d) {
    for (double& s : scatter) s /= divisor;
    if (!factorize(scatter, d))
        return Error{ErrorKind::singular,
                     "gaussian_vector_known_mean: the covariance is singular; it must be positive definite"};
    return GaussianVectorKnownMean::Parameter{std::move(scatter)};
}

GaussianVector::Parameter centred(const GaussianVectorKnownMean::Parameter& p, std::size_t d) {
    return {std::vector<double>(d), p.factor};
}

}  // namespace

void GaussianVectorKnownMean::Statistic::remove(const Statistic& rows) {
    const double rest = difference(total_weight, rows.total_weight);
    if (rest == 0) return scale(0);
    const auto d = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(scatter.size()))));
    for (std::size_t i = 0; i < scatter.size(); ++i)
        scatter[i] = i % (d + 1) == 0 ? square_difference(scatter[i], rows.scatter[i]) : scatter[i] - rows.scatter[i];
    total_weight = rest;
}

bool GaussianVectorKnownMean::supports(Value x) const { return x.size() == value_size() && all_finite(x); }

void GaussianVectorKnownMean::observe(Statistic& into, Value x, double weight) const {
    const std::size_t d = value_size();
    const std::vector<double> way = minus(x, known_mean);
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) into.scatter[i * d + j] += way[i] * way[j] * weight;
    into.total_weight += weight;
}

bool GaussianVectorKnownMean::valid(const Statistic& s) const {
    return GaussianVector{value_size()}.valid(
        GaussianVector::Statistic{s.total_weight, std::vector<double>(value_size()), s.scatter});
}
bool GaussianVectorKnownMean::valid(const Parameter& p) const {
    return GaussianVector{value_size()}.valid(centred(p, value_size()));
}

Result<GaussianVectorKnownMean::Parameter> GaussianVectorKnownMean::most_likely(const Statistic& s) const {
    if (!(s.total_weight > 0)) return Error{"gaussian_vector_known_mean: no rows to estimate from"};
    return factored(s.scatter, s.total_weight, value_size());
}

double GaussianVectorKnownMean::log_density(const Parameter& p, Value x) const {
    return log_carrier(x) - log_partition(p) - 0.5 * squared_distance(p.factor, minus(x, known_mean));
}
double GaussianVectorKnownMean::log_likelihood(const Parameter& p, const Statistic& s) const {
    return s.total_weight * (log_carrier({}) - log_partition(p)) -
           0.5 * trace_of_ratio(p.factor, s.scatter, value_size());
}

std::vector<double> GaussianVectorKnownMean::variance(const Parameter& p) const {
    return GaussianVector{value_size()}.variance(centred(p, value_size()));
}
std::vector<double> GaussianVectorKnownMean::sample(const Parameter& p, Rng& rng) const {
    return GaussianVector{value_size()}.sample({known_mean, p.factor}, rng);
}

GaussianVectorKnownMean::Prior GaussianVectorKnownMean::default_prior() const {
    const auto degrees = static_cast<double>(value_size()) + 1;
    return {degrees, diagonal_matrix(std::vector<double>(value_size(), degrees))};
}
bool GaussianVectorKnownMean::valid(const Prior& prior) const {
    return valid_wishart(prior.degrees, prior.scatter, value_size());
}
GaussianVectorKnownMean::Prior GaussianVectorKnownMean::posterior(const Prior& prior, const Statistic& s) const {
    Prior post = prior;
    post.degrees += s.total_weight;
    add_sums(post.scatter, s.scatter);
    return post;
}
Result<GaussianVectorKnownMean::Parameter> GaussianVectorKnownMean::most_probable(const Prior& prior) const {
    const double divisor = prior.degrees - static_cast<double>(value_size()) - 1;
    if (!(divisor > 0))
        return Error{
            "gaussian_vector_known_mean: the prior has a mode only where its degrees are above the dimension + 1"};
    return factored(prior.scatter, divisor, value_size());
}
Result<GaussianVectorKnownMean::Parameter> GaussianVectorKnownMean::expected(const Prior& prior) const {
    return factored(prior.scatter, prior.degrees, value_size());
}
std::vector<double> GaussianVectorKnownMean::prior_covariance(const Prior& prior) const {
    return wishart_covariance(prior.degrees, prior.scatter, value_size());
}
double GaussianVectorKnownMean::log_prior_density(const Prior& prior, const Parameter& p) const {
    return log_wishart_density(prior.degrees, prior.scatter, p.factor, value_size());
}
GaussianVectorKnownMean::Parameter GaussianVectorKnownMean::draw(const Prior& prior, Rng& rng) const {
    return {draw_wishart(prior.degrees, prior.scatter, value_size(), rng)};
}
double GaussianVectorKnownMean::log_predictive(const Prior& prior, Value x) const {
    return log_wishart_predictive(prior.degrees, prior.scatter, minus(x, known_mean), 1);
}
double GaussianVectorKnownMean::log_evidence(const Prior& prior, const Statistic& s) const {
    const Prior post = posterior(prior, s);
    return log_wishart_evidence(prior.degrees, prior.scatter, post.degrees, post.scatter, value_size());
}

void GaussianVectorKnownMean::write_features(Value x, std::span<double> out) const {
    const std::vector<double> way = minus(x, known_mean);
    std::size_t at = 0;
    for (std::size_t i = 0; i < way.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) out[at++] = way[i] * way[j];
}
void GaussianVectorKnownMean::write_natural(const Parameter& p, std::span<double> out) const {
    const GaussianVector full{value_size()};
    std::vector<double> natural(full.feature_count());
    full.write_natural(centred(p, value_size()), natural);
    std::ranges::copy(std::span(natural).subspan(value_size()), out.begin());
}
Result<GaussianVectorKnownMean::Parameter> GaussianVectorKnownMean::from_natural(
    std::span<const double> natural) const {
    const GaussianVector full{value_size()};
    std::vector<double> whole(value_size());
    whole.insert(whole.end(), natural.begin(), natural.end());
    auto p = full.from_natural(whole);
    if (!p) return Error{"gaussian_vector_known_mean: the natural parameters must form a negative definite matrix"};
    return Parameter{std::move(p->factor)};
}
double GaussianVectorKnownMean::log_partition(const Parameter& p) const {
    return 0.5 * log_determinant(p.factor, value_size());
}
void GaussianVectorKnownMean::write_mean_features(const Parameter& p, std::span<double> out) const {
    const auto covariance = variance(p);
    std::size_t at = 0;
    for (std::size_t i = 0; i < value_size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) out[at++] = covariance[i * value_size() + j];
}
void GaussianVectorKnownMean::write_feature_covariance(const Parameter& p, std::span<double> out) const {
    const std::size_t d = value_size();
    const auto s = variance(p);
    std::size_t at = 0;
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            for (std::size_t k = 0; k < d; ++k)
                for (std::size_t l = 0; l <= k; ++l)
                    out[at++] = s[i * d + k] * s[j * d + l] + s[i * d + l] * s[j * d + k];
}
double GaussianVectorKnownMean::log_carrier(Value) const {
    return -0.5 * static_cast<double>(value_size()) * log_two_pi;
}

}  // namespace suffice
