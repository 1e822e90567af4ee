// Bernoulli: yes or no, coded 1 and 0. log p(x|mu) = x log mu + (1 - x) log(1 - mu). h = 1.
// Natural: eta = log(mu / (1 - mu)), T = x, A = log(1 + exp eta).
// Prior: Beta(alpha, beta) on mu; predictive mean (alpha + n1) / (alpha + beta + n) (Bishop 2006, sec. 2.1).
#pragma once
#include <cmath>
#include <utility>

#include "suffice/family/beta_prior.hpp"
#include "suffice/family/concepts.hpp"
#include "suffice/family/feature.hpp"
#include "suffice/family/probability.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/math/sigmoid.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

struct Bernoulli {
    using Value = double;
    static constexpr std::string_view name = "bernoulli";
    static constexpr bool discrete = true;
    static constexpr std::string_view support = "0 or 1";
    static constexpr std::string_view prior_name = "beta";
    static constexpr auto fields = FieldTuple{};

    struct Statistic {
        double zero_weight = 0;
        double one_weight = 0;
        static constexpr auto fields =
            FieldTuple{field("zero_weight", &Statistic::zero_weight), field("one_weight", &Statistic::one_weight)};

        double weight() const { return zero_weight + one_weight; }
        void merge(const Statistic& from) { add_sums(*this, from); }
        void remove(const Statistic& rows) { remove_sums(*this, rows); }
        void scale(double factor) { scale_sums(*this, factor); }
        bool operator==(const Statistic&) const = default;
    };
    struct Parameter {
        double probability = 0.5;  // of 1
        static constexpr auto fields = FieldTuple{field("probability", &Parameter::probability)};
        bool operator==(const Parameter&) const = default;
    };
    using Prior = BetaPrior;

    bool operator==(const Bernoulli&) const = default;
    static std::pair<Bernoulli, Parameter> typical() { return {Bernoulli{}, Parameter{0.3}}; }

    bool supports(double x) const { return x == 0 || x == 1; }
    Statistic empty() const { return {}; }
    void observe(Statistic& into, double x, double weight) const {
        (x == 0 ? into.zero_weight : into.one_weight) += weight;
    }
    bool valid(const Statistic& s) const {
        return s.zero_weight >= 0 && s.one_weight >= 0 && std::isfinite(s.weight());
    }
    bool valid(const Parameter& p) const { return p.probability >= 0 && p.probability <= 1; }

    Result<Parameter> most_likely(const Statistic& s) const {
        if (!(s.weight() > 0)) return Error{"bernoulli: no rows to estimate from"};
        return Parameter{kept(s.one_weight / s.weight())};
    }

    double log_density(const Parameter& p, double x) const {
        return x == 0 ? log_complement(p.probability) : log_kept(p.probability);
    }
    double log_likelihood(const Parameter& p, const Statistic& s) const {
        return s.one_weight * log_kept(p.probability) + s.zero_weight * log_complement(p.probability);
    }
    std::size_t parameter_count() const { return 1; }

    double mean(const Parameter& p) const { return p.probability; }
    double variance(const Parameter& p) const { return p.probability * (1 - p.probability); }
    double sample(const Parameter& p, Rng& rng) const { return rng.uniform() < p.probability ? 1 : 0; }

    Prior default_prior() const { return {}; }
    Prior smoothing(double pseudo_count) const { return {pseudo_count, pseudo_count}; }
    bool valid(const Prior& prior) const { return prior.valid(); }
    Prior posterior(const Prior& prior, const Statistic& s) const {
        return {prior.alpha + s.one_weight, prior.beta + s.zero_weight};
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
    Parameter draw(const Prior& prior, Rng& rng) const { return {prior.draw(rng)}; }
    double log_predictive(const Prior& prior, double x) const {
        return log_kept((x == 0 ? prior.beta : prior.alpha) / (prior.alpha + prior.beta));
    }
    double log_evidence(const Prior& prior, const Statistic& s) const {
        const Prior post = posterior(prior, s);
        return log_beta(post.alpha, post.beta) - log_beta(prior.alpha, prior.beta);
    }

    static constexpr std::array features{Feature::value};
    std::size_t feature_count() const { return 1; }
    void write_features(double x, std::span<double> out) const { out[0] = x; }
    void write_natural(const Parameter& p, std::span<double> out) const {
        out[0] = log_kept(p.probability) - log_complement(p.probability);
    }
    Result<Parameter> from_natural(std::span<const double> natural) const {
        if (std::isnan(natural[0])) return Error{"bernoulli: the natural parameter is not a number"};
        return Parameter{sigmoid(natural[0])};
    }
    double log_partition(const Parameter& p) const { return -log_complement(p.probability); }
    void write_mean_features(const Parameter& p, std::span<double> out) const { out[0] = mean(p); }
    void write_feature_covariance(const Parameter& p, std::span<double> out) const { out[0] = variance(p); }
    double log_carrier(double) const { return 0; }
    double expected_log_carrier(const Parameter&) const { return 0; }
    bool excludes(const Parameter& other, const Parameter& truth) const {
        return (other.probability <= smallest_probability && truth.probability > smallest_probability) ||
               (other.probability == 1 && truth.probability < 1);
    }
};

static_assert(ColumnFamily<Bernoulli> && SmoothedFamily<Bernoulli> && ScalarPrior<Bernoulli> &&
              LinearFamily<Bernoulli>);

}  // namespace suffice
