// Gaussian of one real column whose mean is known: log p(x|v) = -(x - mean)^2/(2 v) - log(2 pi v)/2.
// Prior: Gamma(shape, rate) on the precision 1/v; the predictive is Student's t (Bishop 2006, sec. 2.3.6). Mode, mean,
// density, variance and quantiles of the prior are those of the precision.
#pragma once
#include <cmath>
#include <span>
#include <utility>

#include "suffice/family/concepts.hpp"
#include "suffice/family/feature.hpp"
#include "suffice/family/gamma_prior.hpp"
#include "suffice/family/gaussian.hpp"

namespace suffice {

struct GaussianKnownMean {
    using Value = double;
    static constexpr std::string_view name = "gaussian_known_mean";
    static constexpr std::string_view support = "finite numbers";
    static constexpr std::string_view prior_name = "gamma";
    static constexpr std::string_view prior_quantity = "precision";  // what the prior and its quantiles are of
    double known_mean = 0;
    static constexpr auto fields = FieldTuple{field("mean", &GaussianKnownMean::known_mean)};

    struct Statistic {
        double total_weight = 0;
        double scatter = 0;  // sum of w (x - known mean)^2
        static constexpr auto fields =
            FieldTuple{field("weight", &Statistic::total_weight), field("scatter", &Statistic::scatter)};

        double weight() const { return total_weight; }
        void merge(const Statistic& from) { add_sums(*this, from); }
        void remove(const Statistic& rows) {
            total_weight = difference(total_weight, rows.total_weight);
            scatter = total_weight == 0 ? 0 : square_difference(scatter, rows.scatter);
        }
        void scale(double factor) { scale_sums(*this, factor); }
        bool operator==(const Statistic&) const = default;
    };
    struct Parameter {
        double variance = 1;
        static constexpr auto fields = FieldTuple{field("variance", &Parameter::variance)};
        bool operator==(const Parameter&) const = default;
    };
    using Prior = GammaPrior;

    bool operator==(const GaussianKnownMean&) const = default;
    static std::pair<GaussianKnownMean, Parameter> typical() { return {GaussianKnownMean{-2}, Parameter{4.0}}; }

    bool supports(double x) const { return std::isfinite(x); }
    Statistic empty() const { return {}; }
    void observe(Statistic& into, double x, double weight) const { into.merge({weight, weight * square(x)}); }
    bool valid(const Statistic& s) const {
        return s.total_weight >= 0 && s.scatter >= 0 && std::isfinite(s.total_weight) && std::isfinite(s.scatter);
    }
    bool valid(const Parameter& p) const { return p.variance > 0 && std::isfinite(p.variance); }

    // Unbiased as it is, since the mean is not estimated; 0, until widened, where every row is at the mean.
    Result<Parameter> most_likely(const Statistic& s) const {
        if (!(s.total_weight > 0)) return Error{"gaussian_known_mean: no rows to estimate from"};
        return Parameter{s.scatter / s.total_weight};
    }
    Result<Parameter> unbiased(const Statistic& s) const { return most_likely(s); }
    double spread(const Statistic& s) const { return s.total_weight > 0 ? s.scatter / s.total_weight : 0; }
    void widen(Parameter& p, double floor) const { p.variance += floor; }

    double log_density(const Parameter& p, double x) const { return log_likelihood(p, {1, square(x)}); }
    double log_likelihood(const Parameter& p, const Statistic& s) const {
        return -0.5 * (s.total_weight * (log_two_pi + std::log(p.variance)) + s.scatter / p.variance);
    }
    std::size_t parameter_count() const { return 1; }

    double mean(const Parameter&) const { return known_mean; }
    double variance(const Parameter& p) const { return p.variance; }
    double sample(const Parameter& p, Rng& rng) const {
        return known_mean + std::sqrt(p.variance) * sample_normal(rng);
    }

    Prior default_prior() const { return {}; }
    bool valid(const Prior& prior) const { return prior.valid(); }
    Prior posterior(const Prior& prior, const Statistic& s) const {
        return {prior.shape + 0.5 * s.total_weight, prior.rate + 0.5 * s.scatter};
    }
    Result<Parameter> most_probable(const Prior& prior) const {
        if (!(prior.shape > 1))
            return Error{"gaussian_known_mean: the prior has a mode only where its shape is above 1"};
        return Parameter{prior.rate / (prior.shape - 1)};
    }
    Result<Parameter> expected(const Prior& prior) const { return Parameter{prior.rate / prior.shape}; }
    double prior_variance(const Prior& prior) const { return prior.variance(); }
    double prior_quantile(const Prior& prior, double p) const { return prior.quantile(p); }
    double log_prior_density(const Prior& prior, const Parameter& p) const { return prior.log_density(1 / p.variance); }
    Parameter draw(const Prior& prior, Rng& rng) const { return {1 / prior.draw(rng)}; }
    double log_predictive(const Prior& prior, double x) const {
        return -log_beta(0.5, prior.shape) - 0.5 * std::log(2 * prior.rate) -
               (prior.shape + 0.5) * std::log1p(square(x) / (2 * prior.rate));
    }
    StudentBell predictive_bell(const Prior& prior) const {
        const double spread = 2 * prior.rate;
        return {known_mean, spread, -log_beta(0.5, prior.shape) - 0.5 * std::log(spread), prior.shape + 0.5};
    }
    double log_evidence(const Prior& prior, const Statistic& s) const {
        const Prior post = posterior(prior, s);
        return log_gamma(post.shape) - log_gamma(prior.shape) + prior.shape * std::log(prior.rate) -
               post.shape * std::log(post.rate) - 0.5 * s.total_weight * log_two_pi;
    }

    // T = (x - mean)^2, eta = -1/(2 v), A = log(v)/2, h = 1/sqrt(2 pi).
    Bell bell(const Parameter& p) const { return {known_mean, p.variance}; }
    std::size_t feature_count() const { return 1; }
    void write_features(double x, std::span<double> out) const { out[0] = square(x); }
    void write_natural(const Parameter& p, std::span<double> out) const { out[0] = -0.5 / p.variance; }
    Result<Parameter> from_natural(std::span<const double> natural) const {
        if (!(natural[0] < 0)) return Error{"gaussian_known_mean: the natural parameter must be negative"};
        return Parameter{-0.5 / natural[0]};
    }
    double log_partition(const Parameter& p) const { return 0.5 * std::log(p.variance); }
    void write_mean_features(const Parameter& p, std::span<double> out) const { out[0] = p.variance; }
    void write_feature_covariance(const Parameter& p, std::span<double> out) const {
        out[0] = 2 * p.variance * p.variance;
    }
    double log_carrier(double) const { return -0.5 * log_two_pi; }
    double expected_log_carrier(const Parameter&) const { return -0.5 * log_two_pi; }

private:
    double square(double x) const { return (x - known_mean) * (x - known_mean); }
};

static_assert(ColumnFamily<GaussianKnownMean> && ScalarPrior<GaussianKnownMean> && LinearFamily<GaussianKnownMean> &&
              UnbiasedFamily<GaussianKnownMean> && CollapsibleFamily<GaussianKnownMean>);

}  // namespace suffice
