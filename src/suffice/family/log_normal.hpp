// Log-normal: positive amounts whose logarithm is Gaussian. log p(x|m,v) = -(log x - m)^2/(2 v) - log(2 pi v)/2 - log
// x. Everything is the Gaussian family at log x, with the Jacobian 1/x (Johnson, Kotz, Balakrishnan 1994, ch. 14). The
// statistic is that of log x: its mean tells the sum of w log h(x) too, since h = 1/(x sqrt(2 pi)).
#pragma once
#include <cmath>
#include <span>
#include <utility>

#include "suffice/family/concepts.hpp"
#include "suffice/family/feature.hpp"
#include "suffice/family/gaussian.hpp"

namespace suffice {

struct LogNormal {
    using Value = double;
    static constexpr std::string_view name = "log_normal";
    static constexpr std::string_view support = "finite numbers above 0";
    static constexpr std::string_view prior_name = "normal_gamma";  // on the mean and precision of log x
    static constexpr auto fields = FieldTuple{};

    using Statistic = Gaussian::Statistic;  // of log x
    struct Parameter {
        double log_mean = 0;
        double log_variance = 1;
        static constexpr auto fields =
            FieldTuple{field("log_mean", &Parameter::log_mean), field("log_variance", &Parameter::log_variance)};
        bool operator==(const Parameter&) const = default;
    };
    using Prior = Gaussian::Prior;

    bool operator==(const LogNormal&) const = default;
    static std::pair<LogNormal, Parameter> typical() { return {LogNormal{}, Parameter{1.5, 0.25}}; }

    bool supports(double x) const { return x > 0 && std::isfinite(x); }
    Statistic empty() const { return {}; }
    void observe(Statistic& into, double x, double weight) const { into.merge({weight, std::log(x), 0.0}); }
    // Of the sums that a column of many values keeps (accumulate/number_counts.hpp); its weight: rows in the support.
    static Statistic from_sums(const auto& sums) { return sums.logs; }
    bool valid(const Statistic& s) const { return Gaussian{}.valid(s); }
    bool valid(const Parameter& p) const { return Gaussian{}.valid(of_logarithm(p)); }

    // The variance of equal rows is 0, which valid() refuses until widen() lifts it.
    Result<Parameter> most_likely(const Statistic& s) const {
        if (!(s.total_weight > 0)) return Error{"log_normal: no rows to estimate from"};
        return Parameter{s.mean, s.scatter / s.total_weight};
    }
    Result<Parameter> unbiased(const Statistic& s) const {
        if (!(s.total_weight > 1)) return Error{"log_normal: an unbiased variance needs a total weight above 1"};
        return Parameter{s.mean, s.scatter / (s.total_weight - 1)};
    }
    double spread(const Statistic& s) const { return Gaussian{}.spread(s); }
    void widen(Parameter& p, double floor) const { p.log_variance += floor; }

    double log_density(const Parameter& p, double x) const { return log_likelihood(p, {1, std::log(x), 0}); }
    double log_likelihood(const Parameter& p, const Statistic& s) const {
        return Gaussian{}.log_likelihood(of_logarithm(p), s) - log_jacobian(s);
    }
    std::size_t parameter_count() const { return 2; }

    double mean(const Parameter& p) const { return std::exp(p.log_mean + p.log_variance / 2); }
    double variance(const Parameter& p) const {
        return std::expm1(p.log_variance) * std::exp(2 * p.log_mean + p.log_variance);
    }
    double sample(const Parameter& p, Rng& rng) const { return std::exp(Gaussian{}.sample(of_logarithm(p), rng)); }

    Prior default_prior() const { return {}; }
    bool valid(const Prior& prior) const { return Gaussian{}.valid(prior); }
    Prior posterior(const Prior& prior, const Statistic& s) const { return Gaussian{}.posterior(prior, s); }
    Result<Parameter> most_probable(const Prior& prior) const { return renamed(Gaussian{}.most_probable(prior)); }
    Result<Parameter> expected(const Prior& prior) const { return renamed(Gaussian{}.expected(prior)); }
    std::vector<double> prior_covariance(const Prior& prior) const { return Gaussian{}.prior_covariance(prior); }
    double log_prior_density(const Prior& prior, const Parameter& p) const {
        return Gaussian{}.log_prior_density(prior, of_logarithm(p));
    }
    Parameter draw(const Prior& prior, Rng& rng) const {
        const auto drawn = Gaussian{}.draw(prior, rng);
        return {drawn.mean, drawn.variance};
    }
    double log_predictive(const Prior& prior, double x) const {
        return Gaussian{}.log_predictive(prior, std::log(x)) - std::log(x);
    }
    StudentBell predictive_bell(const Prior& prior) const {
        StudentBell bell = Gaussian{}.predictive_bell(prior);
        bell.of_logarithm = true;
        return bell;
    }
    double log_evidence(const Prior& prior, const Statistic& s) const {
        return Gaussian{}.log_evidence(prior, s) - log_jacobian(s);
    }

    // T = (log x, log^2 x), eta and A as the Gaussian's, h = 1/(x sqrt(2 pi)).
    Bell bell(const Parameter& p) const { return {p.log_mean, p.log_variance, true}; }
    std::size_t feature_count() const { return 2; }
    void write_features(double x, std::span<double> out) const { Gaussian{}.write_features(std::log(x), out); }
    void write_natural(const Parameter& p, std::span<double> out) const {
        Gaussian{}.write_natural(of_logarithm(p), out);
    }
    Result<Parameter> from_natural(std::span<const double> natural) const {
        return renamed(Gaussian{}.from_natural(natural));
    }
    double log_partition(const Parameter& p) const { return Gaussian{}.log_partition(of_logarithm(p)); }
    void write_mean_features(const Parameter& p, std::span<double> out) const {
        Gaussian{}.write_mean_features(of_logarithm(p), out);
    }
    void write_feature_covariance(const Parameter& p, std::span<double> out) const {
        Gaussian{}.write_feature_covariance(of_logarithm(p), out);
    }
    double log_carrier(double x) const { return -std::log(x) - 0.5 * log_two_pi; }
    double expected_log_carrier(const Parameter& p) const { return -p.log_mean - 0.5 * log_two_pi; }

private:
    static Gaussian::Parameter of_logarithm(const Parameter& p) { return {p.log_mean, p.log_variance}; }
    static double log_jacobian(const Statistic& s) { return s.total_weight * s.mean; }  // the sum of w log x
    static Result<Parameter> renamed(const Result<Gaussian::Parameter>& p) {
        if (!p) return Error{"log_normal, at log x: " + p.error().message};
        return Parameter{p->mean, p->variance};
    }
};

static_assert(ColumnFamily<LogNormal> && ConjugateFamily<LogNormal> && LinearFamily<LogNormal> &&
              UnbiasedFamily<LogNormal> && CollapsibleFamily<LogNormal>);

}  // namespace suffice
