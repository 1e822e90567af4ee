// Exponential: waiting times. log p(x|r) = log r - r x.
// Prior: Gamma(shape, rate) on r; the predictive is Lomax (Murphy 2022, sec. 4.6).
#pragma once
#include <cmath>
#include <span>
#include <utility>

#include "suffice/family/concepts.hpp"
#include "suffice/family/feature.hpp"
#include "suffice/family/gamma_prior.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

struct Exponential {
    using Value = double;
    static constexpr std::string_view name = "exponential";
    static constexpr std::string_view support = "finite numbers from 0";
    static constexpr std::string_view prior_name = "gamma";
    static constexpr auto fields = FieldTuple{};

    struct Statistic {
        double total_weight = 0;
        double total = 0;
        static constexpr auto fields =
            FieldTuple{field("weight", &Statistic::total_weight), field("total", &Statistic::total)};

        double weight() const { return total_weight; }
        void merge(const Statistic& from) { add_sums(*this, from); }
        void remove(const Statistic& rows) {
            remove_sums(*this, rows);
            if (total_weight == 0) *this = {};
        }
        void scale(double factor) { scale_sums(*this, factor); }
        bool operator==(const Statistic&) const = default;
    };
    struct Parameter {
        double rate = 1;
        static constexpr auto fields = FieldTuple{field("rate", &Parameter::rate)};
        bool operator==(const Parameter&) const = default;
    };
    using Prior = GammaPrior;

    bool operator==(const Exponential&) const = default;
    static std::pair<Exponential, Parameter> typical() { return {Exponential{}, Parameter{0.4}}; }

    bool supports(double x) const { return x >= 0 && std::isfinite(x); }
    Statistic empty() const { return {}; }
    void observe(Statistic& into, double x, double weight) const { into.merge({weight, weight * x}); }
    // Of the sums that a column of many values keeps (accumulate/number_counts.hpp); its weight: rows in the support.
    static Statistic from_sums(const auto& sums) {
        return {sums.logs.total_weight, sums.plain.total_weight * sums.plain.mean};
    }
    bool valid(const Statistic& s) const {
        return s.total_weight >= 0 && s.total >= 0 && std::isfinite(s.total_weight) && std::isfinite(s.total);
    }
    bool valid(const Parameter& p) const { return p.rate > 0 && std::isfinite(p.rate); }

    Result<Parameter> most_likely(const Statistic& s) const {
        if (!(s.total_weight > 0)) return Error{"exponential: no rows to estimate from"};
        if (!(s.total > 0)) return Error{ErrorKind::singular, "exponential: every value is 0, so no rate is finite"};
        return Parameter{s.total_weight / s.total};
    }
    // (n - 1) / total: the mean of 1 / total is rate / (n - 1).
    Result<Parameter> unbiased(const Statistic& s) const {
        if (!(s.total_weight > 1)) return Error{"exponential: an unbiased rate needs a total weight above 1"};
        if (!(s.total > 0)) return Error{ErrorKind::singular, "exponential: every value is 0, so no rate is finite"};
        return Parameter{(s.total_weight - 1) / s.total};
    }

    double log_density(const Parameter& p, double x) const { return std::log(p.rate) - p.rate * x; }
    double log_likelihood(const Parameter& p, const Statistic& s) const {
        return s.total_weight * std::log(p.rate) - p.rate * s.total;
    }
    std::size_t parameter_count() const { return 1; }

    double mean(const Parameter& p) const { return 1 / p.rate; }
    double variance(const Parameter& p) const { return 1 / (p.rate * p.rate); }
    double sample(const Parameter& p, Rng& rng) const { return sample_exponential(rng) / p.rate; }

    Prior default_prior() const { return {}; }
    // The mode of its posterior is the likelihood's estimate with `pseudo_rows` more at the column's overall mean.
    Prior pulled_prior(double pseudo_rows, const Statistic& whole) const {
        return {1 + pseudo_rows, whole.total_weight > 0 ? pseudo_rows * whole.total / whole.total_weight : pseudo_rows};
    }
    bool valid(const Prior& prior) const { return prior.valid(); }
    Prior posterior(const Prior& prior, const Statistic& s) const {
        return {prior.shape + s.total_weight, prior.rate + s.total};
    }
    Result<Parameter> most_probable(const Prior& prior) const {
        const auto rate = prior.mode(name);
        if (!rate) return rate.error();
        return Parameter{*rate};
    }
    Result<Parameter> expected(const Prior& prior) const {
        if (!prior.valid()) return Error{"exponential: the prior's shape and rate must be positive"};
        return Parameter{prior.mean()};
    }
    double prior_variance(const Prior& prior) const { return prior.variance(); }
    double prior_quantile(const Prior& prior, double p) const { return prior.quantile(p); }
    double log_prior_density(const Prior& prior, const Parameter& p) const { return prior.log_density(p.rate); }
    Parameter draw(const Prior& prior, Rng& rng) const { return {prior.draw(rng)}; }
    double log_predictive(const Prior& prior, double x) const {
        return std::log(prior.shape / prior.rate) - (prior.shape + 1) * std::log1p(x / prior.rate);
    }
    PredictiveRise predictive_rise(const Prior& prior) const {
        return {std::log(prior.shape / prior.rate), 0, {{{prior.rate, -(prior.shape + 1)}}}, true};
    }
    double log_evidence(const Prior& prior, const Statistic& s) const {
        const Prior post = posterior(prior, s);
        return prior.shape * std::log(prior.rate) - log_gamma(prior.shape) + log_gamma(post.shape) -
               post.shape * std::log(post.rate);
    }

    // T = x, eta = -r, A = -log r, h = 1.
    static constexpr std::array features{Feature::value};
    std::size_t feature_count() const { return 1; }
    void write_features(double x, std::span<double> out) const { out[0] = x; }
    void write_natural(const Parameter& p, std::span<double> out) const { out[0] = -p.rate; }
    Result<Parameter> from_natural(std::span<const double> natural) const {
        if (!(natural[0] < 0)) return Error{"exponential: the natural parameter must be negative"};
        return Parameter{-natural[0]};
    }
    double log_partition(const Parameter& p) const { return -std::log(p.rate); }
    void write_mean_features(const Parameter& p, std::span<double> out) const { out[0] = mean(p); }
    void write_feature_covariance(const Parameter& p, std::span<double> out) const { out[0] = variance(p); }
    double log_carrier(double) const { return 0; }
    double expected_log_carrier(const Parameter&) const { return 0; }
};

static_assert(ColumnFamily<Exponential> && ScalarPrior<Exponential> && PulledFamily<Exponential> &&
              LinearFamily<Exponential> && UnbiasedFamily<Exponential>);

}  // namespace suffice
