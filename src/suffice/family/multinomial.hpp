// Multinomial: how often each level came up among N trials. log p(x|mu, N) = sum_k x_k log mu_k + log(N! / prod_k
// x_k!). Minimal natural form against the last level: eta_k = log(mu_k / mu_last), T_k = x_k, A = N log(1 + sum_k exp
// eta_k). Prior: Dirichlet on mu; predictive is Dirichlet-multinomial (Bishop 2006, sec. 2.2; Murphy 2022, sec. 4.6.3).
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "suffice/family/concepts.hpp"
#include "suffice/family/dirichlet_prior.hpp"
#include "suffice/family/sums.hpp"

namespace suffice {

struct Multinomial {
    using Value = std::span<const double>;  // one count per level
    static constexpr std::string_view name = "multinomial";
    static constexpr bool discrete = true;
    static constexpr std::string_view support =
        "a whole number from 0 per level, with the number of trials as their sum";
    static constexpr std::string_view prior_name = "dirichlet";
    std::uint32_t level_count = 2;
    // 0: every row is given its own number of trials; mean, variance, natural form and draws are then of one trial.
    std::uint32_t trial_count = 0;
    static constexpr auto fields = FieldTuple{field("level_count", &Multinomial::level_count, Axis::level),
                                              field("trial_count", &Multinomial::trial_count)};

    struct Statistic {
        double total_weight = 0;
        std::vector<double> level_weight;  // sum of w x_k
        double log_carrier = 0;            // sum of w log h(x)
        static constexpr auto fields = FieldTuple{field("weight", &Statistic::total_weight),
                                                  field("level_weight", &Statistic::level_weight, Axis::level),
                                                  field("log_carrier", &Statistic::log_carrier)};

        double weight() const { return total_weight; }
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

    bool operator==(const Multinomial&) const = default;
    static std::pair<Multinomial, Parameter> typical() {
        return {Multinomial{3, 5}, Parameter{{std::log(0.2), std::log(0.3), std::log(0.5)}}};
    }

    bool valid_shape() const { return level_count > 0; }
    std::size_t value_size() const { return level_count; }
    bool supports(Value x) const;
    Statistic empty() const { return {0, std::vector<double>(level_count, 0.0), 0}; }
    void observe(Statistic& into, Value x, double weight) const;
    bool valid(const Statistic& s) const;
    bool valid(const Parameter& p) const { return are_log_probabilities(p.log_probability, level_count); }

    Result<Parameter> most_likely(const Statistic& s) const;

    double log_density(const Parameter& p, Value x) const;
    double log_likelihood(const Parameter& p, const Statistic& s) const;
    std::size_t parameter_count() const { return level_count - 1; }

    std::vector<double> mean(const Parameter& p) const;
    std::vector<double> variance(const Parameter& p) const;
    std::vector<double> sample(const Parameter& p, Rng& rng) const;

    Prior default_prior() const { return smoothing(1); }
    Prior smoothing(double pseudo_count) const { return {std::vector<double>(level_count, pseudo_count)}; }
    bool valid(const Prior& prior) const { return prior.valid(level_count); }
    Prior posterior(const Prior& prior, const Statistic& s) const { return prior.after(s.level_weight); }
    Result<Parameter> most_probable(const Prior& prior) const;
    Result<Parameter> expected(const Prior& prior) const { return Parameter{prior.log_mean()}; }
    std::vector<double> prior_covariance(const Prior& prior) const { return prior.covariance(); }
    double log_prior_density(const Prior& prior, const Parameter& p) const {
        return prior.log_density(p.log_probability);
    }
    Parameter draw(const Prior& prior, Rng& rng) const { return {prior.draw(rng)}; }
    double log_predictive(const Prior& prior, Value x) const { return prior.log_evidence(x) + log_carrier(x); }
    double log_evidence(const Prior& prior, const Statistic& s) const {
        return prior.log_evidence(s.level_weight) + s.log_carrier;
    }

    std::size_t feature_count() const { return level_count - 1; }
    void write_features(Value x, std::span<double> out) const;
    void write_natural(const Parameter& p, std::span<double> out) const { write_log_ratios(p.log_probability, out); }
    Result<Parameter> from_natural(std::span<const double> natural) const;
    double log_partition(const Parameter& p) const { return -trials() * p.log_probability.back(); }
    void write_mean_features(const Parameter& p, std::span<double> out) const;
    void write_feature_covariance(const Parameter& p, std::span<double> out) const {
        write_level_covariance(p.log_probability, trials(), level_count - 1, out);
    }
    double log_carrier(Value x) const;
    double expected_log_carrier(const Parameter& p) const;
    bool excludes(const Parameter& other, const Parameter& truth) const {
        return excludes_a_level(other.log_probability, truth.log_probability);
    }

private:
    double trials() const { return trial_count == 0 ? 1 : trial_count; }
};

static_assert(Family<Multinomial> && SmoothedFamily<Multinomial> && LinearFamily<Multinomial> &&
              RemovableStatistic<Multinomial::Statistic> && DecayableStatistic<Multinomial::Statistic>);

}  // namespace suffice
