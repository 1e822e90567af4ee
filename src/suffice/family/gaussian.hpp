// Gaussian of one real column: log p(x|m,v) = -(x - m)^2 / (2 v) - log(2 pi v) / 2.
// The statistic is (weight, mean, sum of squared deviations), merged by the pairwise formula of Chan, Golub, LeVeque
// (1979), so that large means lose no digits. Prior: Normal-Gamma on the mean and the precision 1/v, m | v ~ N(mean, v
// / mean_weight), 1/v ~ Gamma(shape, rate); the predictive is Student's t (Murphy 2007, sec. 3). Mode, mean and density
// of the prior are those of (mean, precision).
#pragma once
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "suffice/family/concepts.hpp"
#include "suffice/family/feature.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

inline constexpr double log_two_pi = 1.8378770664093454836;

struct Gaussian {
    using Value = double;
    static constexpr std::string_view name = "gaussian";
    static constexpr std::string_view support = "finite numbers";
    static constexpr std::string_view prior_name = "normal_gamma";
    static constexpr auto fields = FieldTuple{};

    struct Statistic {
        double total_weight = 0;
        double mean = 0;
        double scatter = 0;  // sum of w (x - mean)^2
        static constexpr auto fields =
            FieldTuple{field("weight", &Statistic::total_weight), field("mean", &Statistic::mean),
                       field("scatter", &Statistic::scatter)};

        double weight() const { return total_weight; }
        void merge(const Statistic& from) {
            const double sum = total_weight + from.total_weight;
            if (sum == 0) return;  // empty + empty is empty, not NaN
            const double shift = from.mean - mean;
            const double share = from.total_weight / sum;
            scatter += from.scatter + shift * shift * total_weight * share;
            mean += shift * share;
            total_weight = sum;
        }
        void remove(const Statistic& rows) {
            const double rest = difference(total_weight, rows.total_weight);
            if (rest == 0) {
                *this = {};
                return;
            }
            const double shift = rows.mean - mean, ratio = rows.total_weight / rest;
            scatter = square_difference(scatter, rows.scatter + shift * shift * total_weight * ratio);
            mean -= shift * ratio;
            total_weight = rest;
        }
        void scale(double factor) {
            total_weight *= factor;
            scatter *= factor;
            if (factor == 0) mean = 0;
        }
        // The sum of w (x - centre)^2.
        double scatter_around(double centre) const {
            return scatter + total_weight * (mean - centre) * (mean - centre);
        }
        bool operator==(const Statistic&) const = default;
    };
    struct Parameter {
        double mean = 0;
        double variance = 1;
        static constexpr auto fields =
            FieldTuple{field("mean", &Parameter::mean), field("variance", &Parameter::variance)};
        bool operator==(const Parameter&) const = default;
    };
    struct Prior {
        double mean = 0;
        double mean_weight = 1;  // in rows
        double shape = 1;        // of the precision
        double rate = 1;
        static constexpr auto fields =
            FieldTuple{field("mean", &Prior::mean), field("mean_weight", &Prior::mean_weight),
                       field("shape", &Prior::shape), field("rate", &Prior::rate)};
        bool operator==(const Prior&) const = default;
    };

    bool operator==(const Gaussian&) const = default;
    static std::pair<Gaussian, Parameter> typical() { return {Gaussian{}, Parameter{100.0, 4.0}}; }

    bool supports(double x) const { return std::isfinite(x); }
    Statistic empty() const { return {}; }
    void observe(Statistic& into, double x, double weight) const { into.merge({weight, x, 0.0}); }
    // Of the sums that a column of many values keeps (accumulate/number_counts.hpp); its weight: rows in the support.
    static Statistic from_sums(const auto& sums) { return sums.plain; }
    bool valid(const Statistic& s) const {
        return s.total_weight >= 0 && s.scatter >= 0 && std::isfinite(s.total_weight) && std::isfinite(s.scatter) &&
               std::isfinite(s.mean);
    }
    bool valid(const Parameter& p) const {
        return std::isfinite(p.mean) && p.variance > 0 && std::isfinite(p.variance);
    }

    // The variance of equal rows is 0, which valid() refuses until widen() lifts it.
    Result<Parameter> most_likely(const Statistic& s) const {
        if (!(s.total_weight > 0)) return Error{"gaussian: no rows to estimate from"};
        return Parameter{s.mean, s.scatter / s.total_weight};
    }
    Result<Parameter> unbiased(const Statistic& s) const {
        if (!(s.total_weight > 1)) return Error{"gaussian: an unbiased variance needs a total weight above 1"};
        return Parameter{s.mean, s.scatter / (s.total_weight - 1)};
    }
    double spread(const Statistic& s) const { return s.total_weight > 0 ? s.scatter / s.total_weight : 0; }
    void widen(Parameter& p, double floor) const { p.variance += floor; }

    double log_density(const Parameter& p, double x) const { return log_likelihood(p, {1, x, 0}); }
    double log_likelihood(const Parameter& p, const Statistic& s) const {
        return -0.5 * (s.total_weight * (log_two_pi + std::log(p.variance)) + s.scatter_around(p.mean) / p.variance);
    }
    std::size_t parameter_count() const { return 2; }

    double mean(const Parameter& p) const { return p.mean; }
    double variance(const Parameter& p) const { return p.variance; }
    double sample(const Parameter& p, Rng& rng) const { return p.mean + std::sqrt(p.variance) * sample_normal(rng); }

    Prior default_prior() const { return {}; }
    bool valid(const Prior& prior) const {
        return std::isfinite(prior.mean) && prior.mean_weight > 0 && std::isfinite(prior.mean_weight) &&
               prior.shape > 0 && std::isfinite(prior.shape) && prior.rate > 0 && std::isfinite(prior.rate);
    }
    Prior posterior(const Prior& prior, const Statistic& s) const {
        const double weight = prior.mean_weight + s.total_weight, shift = s.mean - prior.mean;
        return {prior.mean + shift * s.total_weight / weight, weight, prior.shape + s.total_weight / 2,
                prior.rate + 0.5 * (s.scatter + shift * shift * prior.mean_weight * s.total_weight / weight)};
    }
    Result<Parameter> most_probable(const Prior& prior) const {
        if (!(prior.shape > 0.5)) return Error{"gaussian: the prior has a mode only where its shape is above 0.5"};
        return Parameter{prior.mean, prior.rate / (prior.shape - 0.5)};
    }
    Result<Parameter> expected(const Prior& prior) const { return Parameter{prior.mean, prior.rate / prior.shape}; }
    // Of (mean, precision), row by row; the mean's variance is infinite up to shape 1.
    std::vector<double> prior_covariance(const Prior& prior) const {
        const double of_mean = prior.shape > 1 ? prior.rate / (prior.mean_weight * (prior.shape - 1))
                                               : std::numeric_limits<double>::infinity();
        return {of_mean, 0, 0, prior.shape / (prior.rate * prior.rate)};
    }
    double log_prior_density(const Prior& prior, const Parameter& p) const {
        return log_density({prior.mean, p.variance / prior.mean_weight}, p.mean) + prior.shape * std::log(prior.rate) -
               log_gamma(prior.shape) - (prior.shape - 1) * std::log(p.variance) - prior.rate / p.variance;
    }
    Parameter draw(const Prior& prior, Rng& rng) const {
        const double variance = prior.rate / sample_gamma(prior.shape, rng);
        return {sample({prior.mean, variance / prior.mean_weight}, rng), variance};
    }
    double log_predictive(const Prior& prior, double x) const {
        const double spread = 2 * prior.rate * (1 + 1 / prior.mean_weight), shift = x - prior.mean;
        return -log_beta(0.5, prior.shape) - 0.5 * std::log(spread) -
               (prior.shape + 0.5) * std::log1p(shift * shift / spread);
    }
    StudentBell predictive_bell(const Prior& prior) const {
        const double spread = 2 * prior.rate * (1 + 1 / prior.mean_weight);
        return {prior.mean, spread, -log_beta(0.5, prior.shape) - 0.5 * std::log(spread), prior.shape + 0.5};
    }
    double log_evidence(const Prior& prior, const Statistic& s) const {
        const Prior post = posterior(prior, s);
        return log_gamma(post.shape) - log_gamma(prior.shape) + prior.shape * std::log(prior.rate) -
               post.shape * std::log(post.rate) +
               0.5 * (std::log(prior.mean_weight / post.mean_weight) - s.total_weight * log_two_pi);
    }

    // T = (x, x^2), eta = (m/v, -1/(2v)), A = m^2/(2v) + log(v)/2, h = 1/sqrt(2 pi).
    Bell bell(const Parameter& p) const { return {p.mean, p.variance}; }
    std::size_t feature_count() const { return 2; }
    void write_features(double x, std::span<double> out) const {
        out[0] = x;
        out[1] = x * x;
    }
    void write_natural(const Parameter& p, std::span<double> out) const {
        out[0] = p.mean / p.variance;
        out[1] = -0.5 / p.variance;
    }
    Result<Parameter> from_natural(std::span<const double> natural) const {
        if (!(natural[1] < 0 && std::isfinite(natural[0])))
            return Error{"gaussian: the first natural parameter must be finite and the second negative"};
        const double variance = -0.5 / natural[1];
        return Parameter{natural[0] * variance, variance};
    }
    double log_partition(const Parameter& p) const {
        return 0.5 * (p.mean * p.mean / p.variance + std::log(p.variance));
    }
    void write_mean_features(const Parameter& p, std::span<double> out) const {
        out[0] = p.mean;
        out[1] = p.mean * p.mean + p.variance;
    }
    void write_feature_covariance(const Parameter& p, std::span<double> out) const {
        out[0] = p.variance;
        out[1] = out[2] = 2 * p.mean * p.variance;
        out[3] = 2 * p.variance * (p.variance + 2 * p.mean * p.mean);
    }
    double log_carrier(double) const { return -0.5 * log_two_pi; }
    double expected_log_carrier(const Parameter&) const { return -0.5 * log_two_pi; }
};

static_assert(ColumnFamily<Gaussian> && ConjugateFamily<Gaussian> && LinearFamily<Gaussian> &&
              UnbiasedFamily<Gaussian> && CollapsibleFamily<Gaussian>);

}  // namespace suffice
