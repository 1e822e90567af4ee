// Gaussian of d columns whose covariance S is known: log p(x|m) = -(x - m)' S^-1 (x - m)/2 - log|S|/2 - d log(2 pi)/2.
// Prior: Normal(mean, covariance) on m; the predictive is Gaussian (Murphy 2022, sec. 3.3.5). The statistic is the full
// Gaussian's: centred, it tells the sum of w log h(x), h = N(x | 0, S), without the cancellation of a sum of x x'.
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "suffice/family/concepts.hpp"
#include "suffice/family/gaussian_vector.hpp"

namespace suffice {

struct GaussianVectorKnownCovariance {
    using Value = std::span<const double>;
    static constexpr std::string_view name = "gaussian_vector_known_covariance";
    static constexpr std::string_view support = "vectors of finite numbers";
    static constexpr std::string_view prior_name = "normal";
    std::vector<double> known_factor = {1.0};  // lower Cholesky factor of the known covariance, d x d
    static constexpr auto fields = FieldTuple{field("factor", &GaussianVectorKnownCovariance::known_factor)};

    using Statistic = GaussianVector::Statistic;
    struct Parameter {
        std::vector<double> mean;
        static constexpr auto fields = FieldTuple{field("mean", &Parameter::mean)};
        bool operator==(const Parameter&) const = default;
    };
    struct Prior {
        std::vector<double> mean;
        std::vector<double> covariance;  // d x d
        static constexpr auto fields = FieldTuple{field("mean", &Prior::mean), field("covariance", &Prior::covariance)};
        bool operator==(const Prior&) const = default;
    };

    bool operator==(const GaussianVectorKnownCovariance&) const = default;
    static std::pair<GaussianVectorKnownCovariance, Parameter> typical() {
        return {GaussianVectorKnownCovariance{{2, 0, 1, 0.5}}, {{5, -3}}};
    }
    static Result<GaussianVectorKnownCovariance> with_covariance(std::vector<double> covariance);

    bool valid_shape() const {
        return full().valid(GaussianVector::Parameter{std::vector<double>(value_size()), known_factor});
    }
    std::size_t value_size() const;
    bool supports(Value x) const;
    Statistic empty() const { return full().empty(); }
    void observe(Statistic& into, Value x, double weight) const { full().observe(into, x, weight); }
    bool valid(const Statistic& s) const { return full().valid(s); }
    bool valid(const Parameter& p) const;

    Result<Parameter> most_likely(const Statistic& s) const;
    Result<Parameter> unbiased(const Statistic& s) const { return most_likely(s); }

    double log_density(const Parameter& p, Value x) const { return full().log_density(with_factor(p), x); }
    double log_likelihood(const Parameter& p, const Statistic& s) const {
        return full().log_likelihood(with_factor(p), s);
    }
    std::size_t parameter_count() const { return value_size(); }

    std::vector<double> mean(const Parameter& p) const { return p.mean; }
    std::vector<double> variance(const Parameter& p) const { return full().variance(with_factor(p)); }
    std::vector<double> sample(const Parameter& p, Rng& rng) const { return full().sample(with_factor(p), rng); }

    Prior default_prior() const;  // mean 0, covariance the identity
    bool valid(const Prior& prior) const;
    Prior posterior(const Prior& prior, const Statistic& s) const;
    Result<Parameter> most_probable(const Prior& prior) const { return Parameter{prior.mean}; }
    Result<Parameter> expected(const Prior& prior) const { return Parameter{prior.mean}; }
    std::vector<double> prior_covariance(const Prior& prior) const { return prior.covariance; }
    double log_prior_density(const Prior& prior, const Parameter& p) const;
    Parameter draw(const Prior& prior, Rng& rng) const;
    double log_predictive(const Prior& prior, Value x) const;
    double log_evidence(const Prior& prior, const Statistic& s) const;

    // T = x, eta = S^-1 m, A = m' S^-1 m / 2, h = N(x | 0, S).
    std::size_t feature_count() const { return value_size(); }
    void write_features(Value x, std::span<double> out) const;
    void write_natural(const Parameter& p, std::span<double> out) const;
    Result<Parameter> from_natural(std::span<const double> natural) const;
    double log_partition(const Parameter& p) const;
    void write_mean_features(const Parameter& p, std::span<double> out) const;
    void write_feature_covariance(const Parameter& p, std::span<double> out) const;
    double log_carrier(Value x) const;
    double expected_log_carrier(const Parameter& p) const;

private:
    GaussianVector full() const { return {value_size()}; }
    GaussianVector::Parameter with_factor(const Parameter& p) const { return {p.mean, known_factor}; }
    std::vector<double> known_covariance() const;
    std::vector<double> spread(const Prior& prior, double weight) const;
};

static_assert(ConjugateFamily<GaussianVectorKnownCovariance> && LinearFamily<GaussianVectorKnownCovariance> &&
              UnbiasedFamily<GaussianVectorKnownCovariance>);

}  // namespace suffice
