// Geometric: failures before the first success. log p(x|q) = log q + x log(1 - q), x = 0, 1, 2, ... h = 1.
// Natural: eta = log(1 - q), T = x, A = -log q = -log(1 - exp eta).
// Prior: Beta(alpha, beta) on q (Murphy 2022, sec. 3.4; Fink 1997, "A compendium of conjugate priors").
#pragma once
#include <cmath>
#include <string>
#include <utility>

#include "suffice/family/beta_prior.hpp"
#include "suffice/family/concepts.hpp"
#include "suffice/family/feature.hpp"
#include "suffice/family/probability.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

struct Geometric {
    using Value = double;
    static constexpr std::string_view name = "geometric";
    static constexpr bool discrete = true;
    static constexpr std::string_view support = "whole numbers from 0";
    static constexpr std::string_view prior_name = "beta";
    static constexpr auto fields = FieldTuple{};

    struct Statistic {
        double total_weight = 0;
        double total = 0;
        static constexpr auto fields =
            FieldTuple{field("weight", &Statistic::total_weight), field("total", &Statistic::total)};

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

    bool operator==(const Geometric&) const = default;
    static std::pair<Geometric, Parameter> typical() { return {Geometric{}, Parameter{0.3}}; }

    bool supports(double x) const { return is_count(x); }
    Statistic empty() const { return {}; }
    void observe(Statistic& into, double x, double weight) const { into.merge({weight, weight * x}); }
    bool valid(const Statistic& s) const {
        return s.total_weight >= 0 && s.total >= 0 && std::isfinite(s.total_weight) && std::isfinite(s.total);
    }
    bool valid(const Parameter& p) const { return p.probability > 0 && p.probability <= 1; }

    Result<Parameter> most_likely(const Statistic& s) const {
        if (!(s.total_weight > 0)) return Error{"geometric: no rows to estimate from"};
        return Parameter{s.total_weight / (s.total_weight + s.total)};
    }
    // (n - 1) / (n + total - 1), the estimate of smallest variance whose expectation is the truth.
    Result<Parameter> unbiased(const Statistic& s) const {
        if (!(s.total_weight > 1)) return Error{"geometric: the unbiased estimate needs more than one row"};
        return Parameter{(s.total_weight - 1) / (s.total_weight + s.total - 1)};
    }

    double log_density(const Parameter& p, double x) const { return log_likelihood(p, {1, x}); }
    double log_likelihood(const Parameter& p, const Statistic& s) const {
        return s.total_weight * std::log(p.probability) + s.total * log_complement(p.probability);
    }
    std::size_t parameter_count() const { return 1; }

    double mean(const Parameter& p) const { return (1 - p.probability) / p.probability; }
    double variance(const Parameter& p) const { return mean(p) / p.probability; }
    double sample(const Parameter& p, Rng& rng) const { return sample_geometric(p.probability, rng); }

    Prior default_prior() const { return {}; }
    // The mode of its posterior is the likelihood's estimate with `pseudo_rows` more at the column's overall mean.
    Prior pulled_prior(double pseudo_rows, const Statistic& whole) const {
        const double mean = whole.total_weight > 0 ? whole.total / whole.total_weight : 0;
        return {1 + pseudo_rows, 1 + pseudo_rows * mean};
    }
    bool valid(const Prior& prior) const { return prior.valid(); }
    Prior posterior(const Prior& prior, const Statistic& s) const {
        return {prior.alpha + s.total_weight, prior.beta + s.total};
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
    double log_predictive(const Prior& prior, double x) const { return log_evidence(prior, {1, x}); }
    PredictiveRise predictive_rise(const Prior& prior) const {
        const double both = prior.alpha + prior.beta;
        return {std::log(prior.alpha / both), 0, {{{prior.beta, 1}, {both + 1, -1}}}};
    }
    double log_evidence(const Prior& prior, const Statistic& s) const {
        const Prior post = posterior(prior, s);
        return log_beta(post.alpha, post.beta) - log_beta(prior.alpha, prior.beta);
    }

    static constexpr std::array features{Feature::value};
    std::size_t feature_count() const { return 1; }
    void write_features(double x, std::span<double> out) const { out[0] = x; }
    void write_natural(const Parameter& p, std::span<double> out) const { out[0] = log_complement(p.probability); }
    Result<Parameter> from_natural(std::span<const double> natural) const {
        if (!(natural[0] < 0))
            return Error{"geometric: the natural parameter is " + std::to_string(natural[0]) + "; it must be below 0"};
        return Parameter{-std::expm1(natural[0])};
    }
    double log_partition(const Parameter& p) const { return -std::log(p.probability); }
    void write_mean_features(const Parameter& p, std::span<double> out) const { out[0] = mean(p); }
    void write_feature_covariance(const Parameter& p, std::span<double> out) const { out[0] = variance(p); }
    double log_carrier(double) const { return 0; }
    double expected_log_carrier(const Parameter&) const { return 0; }
    bool excludes(const Parameter& other, const Parameter& truth) const {
        return other.probability == 1 && truth.probability < 1;
    }
};

static_assert(ColumnFamily<Geometric> && UnbiasedFamily<Geometric> && PulledFamily<Geometric> &&
              ScalarPrior<Geometric> && LinearFamily<Geometric>);

}  // namespace suffice
