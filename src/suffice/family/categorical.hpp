// Categorical: one of a known number of levels, given by its code. log p(x|mu) = log mu_x. h = 1.
// Minimal natural form against the last level: eta_k = log(mu_k / mu_last), T_k = [x = k], A = log(1 + sum_k exp
// eta_k). Prior: Dirichlet on mu (Bishop 2006, sec. 2.2; Murphy 2022, sec. 4.6.3).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "suffice/family/concepts.hpp"
#include "suffice/family/dirichlet_prior.hpp"
#include "suffice/family/probability.hpp"
#include "suffice/family/sums.hpp"

namespace suffice {

struct Categorical {
    using Value = double;  // the level's code
    static constexpr std::string_view name = "categorical";
    static constexpr bool discrete = true;
    static constexpr std::string_view support = "whole numbers from 0, below the number of levels";
    static constexpr std::string_view prior_name = "dirichlet";
    std::uint32_t level_count = 2;
    static constexpr auto fields = FieldTuple{field("level_count", &Categorical::level_count, Axis::level)};

    struct Statistic {
        std::vector<double> level_weight;
        static constexpr auto fields = FieldTuple{field("level_weight", &Statistic::level_weight, Axis::level)};

        double weight() const { return total_of(level_weight); }
        void merge(const Statistic& from) { add_sums(*this, from); }
        void remove(const Statistic& rows) { remove_sums(*this, rows); }
        void scale(double factor) { scale_sums(*this, factor); }
        bool operator==(const Statistic&) const = default;
    };
    struct Parameter {
        std::vector<double> log_probability;
        static constexpr auto fields = FieldTuple{field("log_probability", &Parameter::log_probability, Axis::level)};
        bool operator==(const Parameter&) const = default;
    };
    using Prior = DirichletPrior;

    bool operator==(const Categorical&) const = default;
    static std::pair<Categorical, Parameter> typical() {
        return {Categorical{3}, Parameter{{std::log(0.2), std::log(0.3), std::log(0.5)}}};
    }

    bool valid_shape() const { return level_count > 0; }
    bool supports(double x) const { return x >= 0 && x < level_count && x == std::floor(x); }
    Statistic empty() const { return {std::vector<double>(level_count, 0.0)}; }
    void observe(Statistic& into, double x, double weight) const {
        into.level_weight[static_cast<std::size_t>(x)] += weight;
    }
    bool valid(const Statistic& s) const {
        return s.level_weight.size() == level_count &&
               std::ranges::all_of(s.level_weight, [](double w) { return w >= 0 && std::isfinite(w); });
    }
    bool valid(const Parameter& p) const { return are_log_probabilities(p.log_probability, level_count); }

    Result<Parameter> most_likely(const Statistic& s) const {
        const double total = s.weight();
        if (!(total > 0)) return Error{"categorical: no rows to estimate from"};
        return Parameter{log_shares(s.level_weight, total)};
    }

    double log_density(const Parameter& p, double x) const { return p.log_probability[static_cast<std::size_t>(x)]; }
    double log_likelihood(const Parameter& p, const Statistic& s) const {
        double log_likelihood = 0;
        for (std::size_t k = 0; k < s.level_weight.size(); ++k)
            log_likelihood += s.level_weight[k] * p.log_probability[k];
        return log_likelihood;
    }
    std::size_t parameter_count() const { return level_count - 1; }

    // Of the level's indicators, since a code has no mean: the probabilities, and their covariance row by row.
    std::vector<double> mean(const Parameter& p) const {
        std::vector<double> probability(p.log_probability);
        for (double& each : probability) each = std::exp(each);
        return probability;
    }
    std::vector<double> variance(const Parameter& p) const {
        std::vector<double> covariance(std::size_t{level_count} * level_count);
        write_level_covariance(p.log_probability, 1, level_count, covariance);
        return covariance;
    }
    double sample(const Parameter& p, Rng& rng) const {
        double left = rng.uniform();
        std::size_t level = 0;
        while (level + 1 < p.log_probability.size() && (left -= std::exp(p.log_probability[level])) >= 0) ++level;
        return static_cast<double>(level);
    }

    Prior default_prior() const { return smoothing(1); }
    Prior smoothing(double pseudo_count) const { return {std::vector<double>(level_count, pseudo_count)}; }
    bool valid(const Prior& prior) const { return prior.valid(level_count); }
    Prior posterior(const Prior& prior, const Statistic& s) const { return prior.after(s.level_weight); }
    Result<Parameter> most_probable(const Prior& prior) const {
        Result<std::vector<double>> mode = prior.log_mode(name);
        if (!mode) return mode.error();
        return Parameter{std::move(*mode)};
    }
    Result<Parameter> expected(const Prior& prior) const { return Parameter{prior.log_mean()}; }
    std::vector<double> prior_covariance(const Prior& prior) const { return prior.covariance(); }
    double log_prior_density(const Prior& prior, const Parameter& p) const {
        return prior.log_density(p.log_probability);
    }
    Parameter draw(const Prior& prior, Rng& rng) const { return {prior.draw(rng)}; }
    double log_predictive(const Prior& prior, double x) const {
        return log_kept(prior.concentration[static_cast<std::size_t>(x)] / total_of(prior.concentration));
    }
    double log_evidence(const Prior& prior, const Statistic& s) const { return prior.log_evidence(s.level_weight); }

    std::size_t feature_count() const { return level_count - 1; }
    void write_features(double x, std::span<double> out) const {
        for (std::size_t k = 0; k + 1 < level_count; ++k) out[k] = static_cast<double>(k) == x ? 1 : 0;
    }
    void write_natural(const Parameter& p, std::span<double> out) const { write_log_ratios(p.log_probability, out); }
    Result<Parameter> from_natural(std::span<const double> natural) const {
        if (std::ranges::any_of(natural, [](double eta) { return !std::isfinite(eta); }))
            return Error{"categorical: a natural parameter is not finite"};
        return Parameter{from_log_ratios(natural)};
    }
    double log_partition(const Parameter& p) const { return -p.log_probability.back(); }
    void write_mean_features(const Parameter& p, std::span<double> out) const {
        for (std::size_t k = 0; k + 1 < level_count; ++k) out[k] = std::exp(p.log_probability[k]);
    }
    void write_feature_covariance(const Parameter& p, std::span<double> out) const {
        write_level_covariance(p.log_probability, 1, level_count - 1, out);
    }
    double log_carrier(double) const { return 0; }
    double expected_log_carrier(const Parameter&) const { return 0; }
    bool excludes(const Parameter& other, const Parameter& truth) const {
        return excludes_a_level(other.log_probability, truth.log_probability);
    }
};

static_assert(ColumnFamily<Categorical> && SmoothedFamily<Categorical> && LinearFamily<Categorical>);

}  // namespace suffice
