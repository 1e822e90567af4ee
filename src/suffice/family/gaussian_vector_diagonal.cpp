// Gaussian vectors with diagonal covariance: each formula is the sum of the Gaussian column's.
#include "suffice/family/gaussian_vector_diagonal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "suffice/family/vectors.hpp"

namespace suffice {

void GaussianVectorDiagonal::Statistic::merge(const Statistic& from) {
    for (std::size_t j = 0; j < mean.size(); ++j) {
        Gaussian::Statistic both = column(j);
        both.merge(from.column(j));
        mean[j] = both.mean;
        scatter[j] = both.scatter;
    }
    total_weight += from.total_weight;
}

void GaussianVectorDiagonal::Statistic::remove(const Statistic& rows) {
    for (std::size_t j = 0; j < mean.size(); ++j) {
        Gaussian::Statistic rest = column(j);
        rest.remove(rows.column(j));
        mean[j] = rest.mean;
        scatter[j] = rest.scatter;
    }
    total_weight = difference(total_weight, rows.total_weight);
}

void GaussianVectorDiagonal::Statistic::scale(double factor) {
    total_weight *= factor;
    for (double& s : scatter) s *= factor;
    if (factor == 0) mean.assign(mean.size(), 0.0);
}

bool GaussianVectorDiagonal::supports(Value x) const { return x.size() == dimension && all_finite(x); }

void GaussianVectorDiagonal::observe(Statistic& into, Value x, double weight) const {
    for (std::size_t j = 0; j < dimension; ++j) {
        Gaussian::Statistic both = into.column(j);
        both.merge({weight, x[j], 0.0});
        into.mean[j] = both.mean;
        into.scatter[j] = both.scatter;
    }
    into.total_weight += weight;
}

bool GaussianVectorDiagonal::valid(const Statistic& s) const {
    bool good = s.total_weight >= 0 && s.mean.size() == dimension && s.scatter.size() == dimension;
    for (std::size_t j = 0; good && j < dimension; ++j) good = Gaussian{}.valid(s.column(j));
    return good;
}

bool GaussianVectorDiagonal::valid(const Parameter& p) const {
    bool good = p.mean.size() == dimension && p.variance.size() == dimension;
    for (std::size_t j = 0; good && j < dimension; ++j) good = Gaussian{}.valid(p.column(j));
    return good;
}

template <class Estimate>
Result<GaussianVectorDiagonal::Parameter> GaussianVectorDiagonal::by_column(Estimate estimate) const {
    Parameter all;
    for (std::size_t j = 0; j < dimension; ++j) {
        const Result<Gaussian::Parameter> one = estimate(j);
        if (!one) return Error{one.error().kind, "gaussian_vector_diagonal, by column: " + one.error().message};
        all.mean.push_back(one->mean);
        all.variance.push_back(one->variance);
    }
    return all;
}

Result<GaussianVectorDiagonal::Parameter> GaussianVectorDiagonal::most_likely(const Statistic& s) const {
    return by_column([&](std::size_t j) { return Gaussian{}.most_likely(s.column(j)); });
}
Result<GaussianVectorDiagonal::Parameter> GaussianVectorDiagonal::unbiased(const Statistic& s) const {
    return by_column([&](std::size_t j) { return Gaussian{}.unbiased(s.column(j)); });
}

double GaussianVectorDiagonal::spread(const Statistic& s) const {
    return s.total_weight > 0 ? *std::ranges::max_element(s.scatter) / s.total_weight : 0;
}
void GaussianVectorDiagonal::widen(Parameter& p, double floor) const {
    for (double& v : p.variance) v += floor;
}

double GaussianVectorDiagonal::log_density(const Parameter& p, Value x) const {
    double sum = 0;
    for (std::size_t j = 0; j < dimension; ++j) sum += Gaussian{}.log_density(p.column(j), x[j]);
    return sum;
}
double GaussianVectorDiagonal::log_likelihood(const Parameter& p, const Statistic& s) const {
    double sum = 0;
    for (std::size_t j = 0; j < dimension; ++j) sum += Gaussian{}.log_likelihood(p.column(j), s.column(j));
    return sum;
}

std::vector<double> GaussianVectorDiagonal::variance(const Parameter& p) const { return diagonal_matrix(p.variance); }

std::vector<double> GaussianVectorDiagonal::sample(const Parameter& p, Rng& rng) const {
    std::vector<double> x(dimension);
    for (std::size_t j = 0; j < dimension; ++j) x[j] = Gaussian{}.sample(p.column(j), rng);
    return x;
}

bool GaussianVectorDiagonal::valid(const Prior& prior) const {
    bool good = prior.mean.size() == dimension && prior.rate.size() == dimension;
    for (std::size_t j = 0; good && j < dimension; ++j) good = Gaussian{}.valid(prior.column(j));
    return good;
}

GaussianVectorDiagonal::Prior GaussianVectorDiagonal::posterior(const Prior& prior, const Statistic& s) const {
    Prior post = prior;
    for (std::size_t j = 0; j < dimension; ++j) {
        const auto one = Gaussian{}.posterior(prior.column(j), s.column(j));
        post.mean[j] = one.mean;
        post.rate[j] = one.rate;
    }
    post.mean_weight += s.total_weight;
    post.shape += s.total_weight / 2;
    return post;
}

Result<GaussianVectorDiagonal::Parameter> GaussianVectorDiagonal::most_probable(const Prior& prior) const {
    return by_column([&](std::size_t j) { return Gaussian{}.most_probable(prior.column(j)); });
}
Result<GaussianVectorDiagonal::Parameter> GaussianVectorDiagonal::expected(const Prior& prior) const {
    return by_column([&](std::size_t j) { return Gaussian{}.expected(prior.column(j)); });
}

std::vector<double> GaussianVectorDiagonal::prior_covariance(const Prior& prior) const {
    std::vector<double> diagonal(2 * dimension);
    for (std::size_t j = 0; j < dimension; ++j) {
        const auto one = Gaussian{}.prior_covariance(prior.column(j));
        diagonal[j] = one[0];
        diagonal[dimension + j] = one[3];
    }
    return diagonal_matrix(diagonal);
}

double GaussianVectorDiagonal::log_prior_density(const Prior& prior, const Parameter& p) const {
    double sum = 0;
    for (std::size_t j = 0; j < dimension; ++j) sum += Gaussian{}.log_prior_density(prior.column(j), p.column(j));
    return sum;
}

GaussianVectorDiagonal::Parameter GaussianVectorDiagonal::draw(const Prior& prior, Rng& rng) const {
    Parameter all;
    for (std::size_t j = 0; j < dimension; ++j) {
        const auto one = Gaussian{}.draw(prior.column(j), rng);
        all.mean.push_back(one.mean);
        all.variance.push_back(one.variance);
    }
    return all;
}

double GaussianVectorDiagonal::log_predictive(const Prior& prior, Value x) const {
    double sum = 0;
    for (std::size_t j = 0; j < dimension; ++j) sum += Gaussian{}.log_predictive(prior.column(j), x[j]);
    return sum;
}
double GaussianVectorDiagonal::log_evidence(const Prior& prior, const Statistic& s) const {
    double sum = 0;
    for (std::size_t j = 0; j < dimension; ++j) sum += Gaussian{}.log_evidence(prior.column(j), s.column(j));
    return sum;
}

// The two numbers of column j belong at j and d + j.
template <class Write>
void GaussianVectorDiagonal::write_pairs(std::span<double> out, Write write) const {
    std::array<double, 2> pair{};
    for (std::size_t j = 0; j < dimension; ++j) {
        write(j, std::span<double>(pair));
        out[j] = pair[0];
        out[dimension + j] = pair[1];
    }
}

void GaussianVectorDiagonal::write_features(Value x, std::span<double> out) const {
    write_pairs(out, [&](std::size_t j, std::span<double> pair) { Gaussian{}.write_features(x[j], pair); });
}
void GaussianVectorDiagonal::write_natural(const Parameter& p, std::span<double> out) const {
    write_pairs(out, [&](std::size_t j, std::span<double> pair) { Gaussian{}.write_natural(p.column(j), pair); });
}
void GaussianVectorDiagonal::write_mean_features(const Parameter& p, std::span<double> out) const {
    write_pairs(out, [&](std::size_t j, std::span<double> pair) { Gaussian{}.write_mean_features(p.column(j), pair); });
}

Result<GaussianVectorDiagonal::Parameter> GaussianVectorDiagonal::from_natural(std::span<const double> natural) const {
    return by_column(
        [&](std::size_t j) { return Gaussian{}.from_natural(std::array{natural[j], natural[dimension + j]}); });
}

double GaussianVectorDiagonal::log_partition(const Parameter& p) const {
    double sum = 0;
    for (std::size_t j = 0; j < dimension; ++j) sum += Gaussian{}.log_partition(p.column(j));
    return sum;
}

void GaussianVectorDiagonal::write_feature_covariance(const Parameter& p, std::span<double> out) const {
    const std::size_t n = feature_count();
    std::ranges::fill(out.first(n * n), 0.0);
    std::array<double, 4> block{};
    for (std::size_t j = 0; j < dimension; ++j) {
        Gaussian{}.write_feature_covariance(p.column(j), block);
        const std::size_t k = dimension + j;
        out[j * n + j] = block[0];
        out[j * n + k] = out[k * n + j] = block[1];
        out[k * n + k] = block[3];
    }
}

}  // namespace suffice
