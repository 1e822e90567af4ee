// Negative binomial: failures before success r, for a known real r > 0; counts that vary more than Poisson's.
// log p(x|q) = r log q + x log(1 - q) + log(Gamma(x + r) / (x! Gamma(r))).
// Natural: eta = log(1 - q), T = x, A = -r log q. Maximum likelihood q = r / (r + mean).
// Prior: Beta(alpha, beta) on q; predictive is beta negative binomial (Fink 1997, "A compendium of conjugate priors").
#pragma once
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "suffice/family/beta_prior.hpp"
#include "suffice/family/concepts.hpp"
#include "suffice/family/count_expectation.hpp"
#include "suffice/family/feature.hpp"
#include "suffice/family/probability.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

struct NegativeBinomial {
    using Value = double;
    static constexpr std::string_view name = "negative_binomial";
    static constexpr bool discrete = true;
    static constexpr std::string_view support = "whole numbers from 0";
    static constexpr std::string_view prior_name = "beta";
    double r = 1;
    static constexpr auto fields = FieldTuple{field("r", &NegativeBinomial::r)};

    struct Statistic {
        double total_weight = 0;
        double total = 0;
        double log_carrier = 0;  // sum of w log h(x)
        static constexpr auto fields =
            FieldTuple{field("weight", &Statistic::total_weight), field("total", &Statistic::total),
                       field("log_carrier", &Statistic::log_carrier)};

        double weight() const { return total_weight; }
        void merge(const Statistic& from) { add_sums(*this, from); }
        void remove(const Statistic& rows) { remove_sums(*this, rows); }
        void scale(double factor) { scale_sums(*this, factor); }
        bool operator==(const Statistic&) const = default;
    };
    struct Parameter {
        double probability = 0.5;  // of success
        static constexpr auto fields = FieldTuple{field("probability", &Parameter::probability)};
        bool operator==(const Parameter&) const = default;
    };
    using Prior = BetaPrior;

    bool operator==(const NegativeBinomial&) const = default;
    static std::pair<NegativeBinomial, Parameter> typical() { return {NegativeBinomial{2.5}, Parameter{0.4}}; }

    bool valid_shape() const { return r > 0 && std::isfinite(r); }
    bool supports(double x) const { return is_count(x); }
    Statistic empty() const { return {}; }
    void observe(Statistic& into, double x, double weight) const {
        into.merge({weight, weight * x, weight * log_carrier(x)});
    }
    bool valid(const Statistic& s) const {
        return s.total_weight >= 0 && s.total >= 0 && std::isfinite(s.total_weight) && std::isfinite(s.total) &&
               std::isfinite(s.log_carrier);
    }
    bool valid(const Parameter& p) const { return p.probability > 0 && p.probability <= 1; }

    Result<Parameter> most_likely(const Statistic& s) const {
        if (!(s.total_weight > 0)) return Error{"negative_binomial: no rows to estimate from"};
        return Parameter{r * s.total_weight / (r * s.total_weight + s.total)};
    }
    // (r n - 1) / (r n + total - 1), whose expectation is the truth.
    Result<Parameter> unbiased(const Statistic& s) const {
        const double successes = r * s.total_weight;
        if (!(successes > 1))
            return Error{"negative_binomial: the unbiased estimate needs r times the rows to exceed one"};
        return Parameter{(successes - 1) / (successes + s.total - 1)};
    }

    double log_density(const Parameter& p, double x) const { return log_likelihood(p, {1, x, log_carrier(x)}); }
    double log_likelihood(const Parameter& p, const Statistic& s) const {
        return r * s.total_weight * std::log(p.probability) + s.total * log_complement(p.probability) + s.log_carrier;
    }
    std::size_t parameter_count() const { return 1; }

    double mean(const Parameter& p) const { return r * (1 - p.probability) / p.probability; }
    double variance(const Parameter& p) const { return mean(p) / p.probability; }
    double sample(const Parameter& p, Rng& rng) const { return sample_negative_binomial(r, p.probability, rng); }

    Prior default_prior() const { return {}; }
    // The mode of its posterior is the likelihood's estimate with `pseudo_rows` more at the column's overall mean.
    Prior pulled_prior(double pseudo_rows, const Statistic& whole) const {
        const double mean = whole.total_weight > 0 ? whole.total / whole.total_weight : 0;
        return {1 + pseudo_rows * r, 1 + pseudo_rows * mean};
    }
    bool valid(const Prior& prior) const { return prior.valid(); }
    Prior posterior(const Prior& prior, const Statistic& s) const {
        return {prior.alpha + r * s.total_weight, prior.beta + s.total};
    }
    Result<Parameter> most_probable(const Prior& prior) const {
        const Result<double> mode = prior.mode(name);
        if (!mode) return mode.error();
        return Parameter{*mode};
    }
    Result<Parameter> expected(const Prior& prior) const { return Parameter{kept(prior.mean())}; }
    double prior_variance(const Prior& prior) const { return prior.variance(); }
    double prior_quantile(const Prior& prior, double p) const { return prior.quantile(p); }
    double log_prior_density(const Prior& prior, const Parameter& p) const { return prior.log_density(p.probability); }
    Parameter draw(const Prior& prior, Rng& rng) const { return {kept(prior.draw(rng))}; }
    double log_predictive(const Prior& prior, double x) const { return log_evidence(prior, {1, x, log_carrier(x)}); }
    PredictiveRise predictive_rise(const Prior& prior) const {
        return {log_beta(prior.alpha + r, prior.beta) - log_beta(prior.alpha, prior.beta),
                0,
                {{{prior.beta, 1}, {prior.alpha + r + prior.beta, -1}}}};
    }
    double log_evidence(const Prior& prior, const Statistic& s) const {
        const Prior post = posterior(prior, s);
        return log_beta(post.alpha, post.beta) - log_beta(prior.alpha, prior.beta) + s.log_carrier;
    }

    static constexpr std::array features{Feature::value};
    std::size_t feature_count() const { return 1; }
    void write_features(double x, std::span<double> out) const { out[0] = x; }
    void write_natural(const Parameter& p, std::span<double> out) const { out[0] = log_complement(p.probability); }
    Result<Parameter> from_natural(std::span<const double> natural) const {
        if (!(natural[0] < 0))
            return Error{"negative_binomial: the natural parameter is " + std::to_string(natural[0]) +
                         "; it must be below 0"};
        return Parameter{-std::expm1(natural[0])};
    }
    double log_partition(const Parameter& p) const { return -r * std::log(p.probability); }
    void write_mean_features(const Parameter& p, std::span<double> out) const { out[0] = mean(p); }
    void write_feature_covariance(const Parameter& p, std::span<double> out) const { out[0] = variance(p); }
    double log_carrier(double x) const { return log_gamma(x + r) - log_gamma(x + 1) - log_gamma(r); }
    double expected_log_carrier(const Parameter& p) const {
        return count_expectation(
            mean(p), std::sqrt(variance(p)), [&](double x) { return log_density(p, x); },
            [&](double x) { return log_carrier(x); });
    }
    bool excludes(const Parameter& other, const Parameter& truth) const {
        return other.probability == 1 && truth.probability < 1;
    }
};

// The r that the rows make most likely, together with the best q for it; no exponential family any more, so it needs
// the rows. Empty weights: one each. Counts that vary no more than a Poisson's have no such r.
Result<NegativeBinomial> most_likely_negative_binomial(std::span<const double> values,
                                                       std::span<const double> weights = {});

static_assert(ColumnFamily<NegativeBinomial> && UnbiasedFamily<NegativeBinomial> && PulledFamily<NegativeBinomial> &&
              ScalarPrior<NegativeBinomial> && LinearFamily<NegativeBinomial>);

}  // namespace suffice
