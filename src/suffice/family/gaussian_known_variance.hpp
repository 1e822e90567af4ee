// Gaussian of one real column whose variance v is known: log p(x|m) = -(x - m)^2/(2 v) - log(2 pi v)/2.
// Prior: Normal(mean, variance) on m; the predictive is Gaussian (Bishop 2006, sec. 2.3.6). The statistic is the
// Gaussian's: centred, it tells the sum of w log h(x), h = exp(-x^2/(2 v))/sqrt(2 pi v), without the cancellation of a
// sum of x^2.
#pragma once
#include <cmath>
#include <span>
#include <utility>

#include "suffice/family/concepts.hpp"
#include "suffice/family/feature.hpp"
#include "suffice/family/gaussian.hpp"

namespace suffice {

struct GaussianKnownVariance {
    using Value = double;
    static constexpr std::string_view name = "gaussian_known_variance";
    static constexpr std::string_view support = "finite numbers";
    static constexpr std::string_view prior_name = "normal";
    double known_variance = 1;
    static constexpr auto fields = FieldTuple{field("variance", &GaussianKnownVariance::known_variance)};

    using Statistic = Gaussian::Statistic;
    struct Parameter {
        double mean = 0;
        static constexpr auto fields = FieldTuple{field("mean", &Parameter::mean)};
        bool operator==(const Parameter&) const = default;
    };
    struct Prior {
        double mean = 0;
        double variance = 1;
        static constexpr auto fields = FieldTuple{field("mean", &Prior::mean), field("variance", &Prior::variance)};
        bool operator==(const Prior&) const = default;
    };

    bool operator==(const GaussianKnownVariance&) const = default;
    static std::pair<GaussianKnownVariance, Parameter> typical() {
        return {GaussianKnownVariance{2.25}, Parameter{7.0}};
    }

    bool valid_shape() const { return known_variance > 0 && std::isfinite(known_variance); }
    bool supports(double x) const { return std::isfinite(x); }
    Statistic empty() const { return {}; }
    void observe(Statistic& into, double x, double weight) const { into.merge({weight, x, 0.0}); }
    bool valid(const Statistic& s) const { return Gaussian{}.valid(s); }
    bool valid(const Parameter& p) const { return std::isfinite(p.mean); }

    Result<Parameter> most_likely(const Statistic& s) const {
        if (!(s.total_weight > 0)) return Error{"gaussian_known_variance: no rows to estimate from"};
        return Parameter{s.mean};
    }
    Result<Parameter> unbiased(const Statistic& s) const { return most_likely(s); }

    double log_density(const Parameter& p, double x) const { return log_likelihood(p, {1, x, 0}); }
    double log_likelihood(const Parameter& p, const Statistic& s) const {
        return Gaussian{}.log_likelihood({p.mean, known_variance}, s);
    }
    std::size_t parameter_count() const { return 1; }

    double mean(const Parameter& p) const { return p.mean; }
    double variance(const Parameter&) const { return known_variance; }
    double sample(const Parameter& p, Rng& rng) const { return Gaussian{}.sample({p.mean, known_variance}, rng); }

    Prior default_prior() const { return {}; }
    bool valid(const Prior& prior) const {
        return std::isfinite(prior.mean) && prior.variance > 0 && std::isfinite(prior.variance);
    }
    Prior posterior(const Prior& prior, const Statistic& s) const {
        const double spread = known_variance + s.total_weight * prior.variance;
        return {prior.mean + (s.mean - prior.mean) * (s.total_weight * prior.variance / spread),
                prior.variance * (known_variance / spread)};
    }
    Result<Parameter> most_probable(const Prior& prior) const { return Parameter{prior.mean}; }
    Result<Parameter> expected(const Prior& prior) const { return Parameter{prior.mean}; }
    double prior_variance(const Prior& prior) const { return prior.variance; }
    double prior_quantile(const Prior& prior, double p) const {
        return prior.mean + std::sqrt(prior.variance) * normal_quantile(p);
    }
    double log_prior_density(const Prior& prior, const Parameter& p) const {
        return Gaussian{}.log_density({prior.mean, prior.variance}, p.mean);
    }
    Parameter draw(const Prior& prior, Rng& rng) const {
        return {Gaussian{}.sample({prior.mean, prior.variance}, rng)};
    }
    double log_predictive(const Prior& prior, double x) const {
        return Gaussian{}.log_density({prior.mean, prior.variance + known_variance}, x);
    }
    StudentBell predictive_bell(const Prior& prior) const {
        const double variance = prior.variance + known_variance;
        return {prior.mean, variance, -0.5 * (log_two_pi + std::log(variance)), 0};
    }
    // The rows around their mean, and that mean around the prior's.
    double log_evidence(const Prior& prior, const Statistic& s) const {
        const double spread = known_variance + s.total_weight * prior.variance, shift = s.mean - prior.mean;
        return -0.5 * (s.total_weight * (log_two_pi + std::log(known_variance)) + s.scatter / known_variance +
                       std::log(spread / known_variance) + s.total_weight * shift * shift / spread);
    }

    // T = x, eta = m/v, A = m^2/(2 v), h = exp(-x^2/(2 v))/sqrt(2 pi v).
    Bell bell(const Parameter& p) const { return {p.mean, known_variance}; }
    std::size_t feature_count() const { return 1; }
    void write_features(double x, std::span<double> out) const { out[0] = x; }
    void write_natural(const Parameter& p, std::span<double> out) const { out[0] = p.mean / known_variance; }
    Result<Parameter> from_natural(std::span<const double> natural) const {
        if (!std::isfinite(natural[0])) return Error{"gaussian_known_variance: the natural parameter is not finite"};
        return Parameter{natural[0] * known_variance};
    }
    double log_partition(const Parameter& p) const { return 0.5 * p.mean * p.mean / known_variance; }
    void write_mean_features(const Parameter& p, std::span<double> out) const { out[0] = p.mean; }
    void write_feature_covariance(const Parameter&, std::span<double> out) const { out[0] = known_variance; }
    double log_carrier(double x) const { return Gaussian{}.log_density({0, known_variance}, x); }
    double expected_log_carrier(const Parameter& p) const {
        return -0.5 * (log_two_pi + std::log(known_variance) + 1 + p.mean * p.mean / known_variance);
    }
};

static_assert(ColumnFamily<GaussianKnownVariance> && ScalarPrior<GaussianKnownVariance> &&
              LinearFamily<GaussianKnownVariance> && UnbiasedFamily<GaussianKnownVariance>);

}  // namespace suffice
