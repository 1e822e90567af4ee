// Gaussian of d columns whose mean is known: log p(x|S) = -(x - mean)' S^-1 (x - mean)/2 - log|S|/2 - d log(2 pi)/2.
// Prior: Wishart(degrees, scatter^-1) on the precision S^-1; the predictive is a multivariate t (Bishop 2006,
// sec. 2.3.6). Mode, mean, covariance and density of the prior are those of the precision.
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "suffice/family/concepts.hpp"
#include "suffice/family/sums.hpp"

namespace suffice {

struct GaussianVectorKnownMean {
    using Value = std::span<const double>;
    static constexpr std::string_view name = "gaussian_vector_known_mean";
    static constexpr std::string_view support = "vectors of finite numbers";
    static constexpr std::string_view prior_name = "wishart";
    std::vector<double> known_mean = {0.0};
    static constexpr auto fields = FieldTuple{field("mean", &GaussianVectorKnownMean::known_mean)};

    struct Statistic {
        double total_weight = 0;
        std::vector<double> scatter;  // d x d, sum of w (x - known mean)(x - known mean)', both triangles
        static constexpr auto fields =
            FieldTuple{field("weight", &Statistic::total_weight), field("scatter", &Statistic::scatter)};

        double weight() const { return total_weight; }
        void merge(const Statistic& from) { add_sums(*this, from); }
        void remove(const Statistic& rows);
        void scale(double factor) { scale_sums(*this, factor); }
        bool operator==(const Statistic&) const = default;
    };
    struct Parameter {
        std::vector<double> factor;  // lower Cholesky factor of the covariance, d x d
        static constexpr auto fields = FieldTuple{field("factor", &Parameter::factor)};
        bool operator==(const Parameter&) const = default;
    };
    struct Prior {
        double degrees = 2;           // of freedom, above d - 1
        std::vector<double> scatter;  // d x d; the expected precision is degrees * scatter^-1
        static constexpr auto fields = FieldTuple{field("degrees", &Prior::degrees), field("scatter", &Prior::scatter)};
        bool operator==(const Prior&) const = default;
    };

    bool operator==(const GaussianVectorKnownMean&) const = default;
    static std::pair<GaussianVectorKnownMean, Parameter> typical() {
        return {GaussianVectorKnownMean{{5, -3}}, {{2, 0, 1, 0.5}}};
    }

    std::size_t value_size() const { return known_mean.size(); }
    bool supports(Value x) const;
    Statistic empty() const { return {0, std::vector<double>(value_size() * value_size())}; }
    void observe(Statistic& into, Value x, double weight) const;
    bool valid(const Statistic& s) const;
    bool valid(const Parameter& p) const;

    Result<Parameter> most_likely(const Statistic& s) const;
    Result<Parameter> unbiased(const Statistic& s) const { return most_likely(s); }  // no mean was estimated

    double log_density(const Parameter& p, Value x) const;
    double log_likelihood(const Parameter& p, const Statistic& s) const;
    std::size_t parameter_count() const { return feature_count(); }

    std::vector<double> mean(const Parameter&) const { return known_mean; }
    std::vector<double> variance(const Parameter& p) const;  // the covariance, d x d
    std::vector<double> sample(const Parameter& p, Rng& rng) const;

    Prior default_prior() const;  // the expected precision is the identity
    bool valid(const Prior& prior) const;
    Prior posterior(const Prior& prior, const Statistic& s) const;
    Result<Parameter> most_probable(const Prior& prior) const;
    Result<Parameter> expected(const Prior& prior) const;
    std::vector<double> prior_covariance(const Prior& prior) const;  // of the precision's lower triangle, row by row
    double log_prior_density(const Prior& prior, const Parameter& p) const;
    Parameter draw(const Prior& prior, Rng& rng) const;
    double log_predictive(const Prior& prior, Value x) const;
    double log_evidence(const Prior& prior, const Statistic& s) const;

    // T = lower triangle of (x - mean)(x - mean)' row by row, eta = (-P_ii/2 and -P_ij), P = S^-1; A = log|S|/2,
    // h = (2 pi)^(-d/2).
    std::size_t feature_count() const { return value_size() * (value_size() + 1) / 2; }
    void write_features(Value x, std::span<double> out) const;
    void write_natural(const Parameter& p, std::span<double> out) const;
    Result<Parameter> from_natural(std::span<const double> natural) const;
    double log_partition(const Parameter& p) const;
    void write_mean_features(const Parameter& p, std::span<double> out) const;
    void write_feature_covariance(const Parameter& p, std::span<double> out) const;
    double log_carrier(Value) const;
    double expected_log_carrier(const Parameter&) const { return log_carrier({}); }
};

static_assert(ConjugateFamily<GaussianVectorKnownMean> && LinearFamily<GaussianVectorKnownMean> &&
              UnbiasedFamily<GaussianVectorKnownMean> && RemovableStatistic<GaussianVectorKnownMean::Statistic> &&
              DecayableStatistic<GaussianVectorKnownMean::Statistic>);

}  // namespace suffice
