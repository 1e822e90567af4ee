// Gaussian of d columns together, full covariance: log p(x|m,S) = -(x - m)' S^-1 (x - m)/2 - log|S|/2 - d log(2 pi)/2.
// QDA, LDA and their shrunken kin are estimators over this one statistic. Prior: Normal-Wishart on the mean and the
// precision, m | S ~ N(mean, S / mean_weight), S^-1 ~ Wishart(degrees, scatter^-1); the predictive is a multivariate t
// (Murphy 2007, sec. 8). Mode, mean and density of the prior are those of (mean, precision).
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "suffice/family/concepts.hpp"

namespace suffice {

struct GaussianVector {
    using Value = std::span<const double>;
    static constexpr std::string_view name = "gaussian_vector";
    static constexpr std::string_view support = "vectors of finite numbers";
    static constexpr std::string_view prior_name = "normal_wishart";
    std::size_t dimension = 1;
    static constexpr auto fields = FieldTuple{field("dimension", &GaussianVector::dimension)};

    struct Statistic {
        double total_weight = 0;
        std::vector<double> mean;
        std::vector<double> scatter;  // d x d, sum of w (x - mean)(x - mean)', both triangles
        static constexpr auto fields =
            FieldTuple{field("weight", &Statistic::total_weight), field("mean", &Statistic::mean),
                       field("scatter", &Statistic::scatter)};

        double weight() const { return total_weight; }
        void merge(const Statistic& from);
        void remove(const Statistic& rows);
        void scale(double factor);
        // Moves the mean by `share` of the way to `to`, and adds `spread` times the outer product of the way.
        void move_mean(std::span<const double> to, double share, double spread);
        // The sum of w (x - centre)(x - centre)'.
        std::vector<double> scatter_around(std::span<const double> centre) const;
        bool operator==(const Statistic&) const = default;
    };
    struct Parameter {
        std::vector<double> mean;
        std::vector<double> factor;  // lower Cholesky factor of the covariance, d x d
        static constexpr auto fields = FieldTuple{field("mean", &Parameter::mean), field("factor", &Parameter::factor)};
        bool operator==(const Parameter&) const = default;
    };
    struct Prior {
        std::vector<double> mean;
        double mean_weight = 1;       // in rows
        double degrees = 2;           // of freedom, above d - 1
        std::vector<double> scatter;  // d x d; the expected precision is degrees * scatter^-1
        static constexpr auto fields =
            FieldTuple{field("mean", &Prior::mean), field("mean_weight", &Prior::mean_weight),
                       field("degrees", &Prior::degrees), field("scatter", &Prior::scatter)};
        bool operator==(const Prior&) const = default;
    };

    bool operator==(const GaussianVector&) const = default;
    static std::pair<GaussianVector, Parameter> typical() { return {GaussianVector{2}, {{50, -3}, {2, 0, 1, 0.5}}}; }

    std::size_t value_size() const { return dimension; }
    bool supports(Value x) const;
    Statistic empty() const { return {0, std::vector<double>(dimension), std::vector<double>(dimension * dimension)}; }
    void observe(Statistic& into, Value x, double weight) const;
    bool valid(const Statistic& s) const;
    bool valid(const Parameter& p) const;

    Result<Parameter> most_likely(const Statistic& s) const;
    Result<Parameter> unbiased(const Statistic& s) const;

    double log_density(const Parameter& p, Value x) const;
    double log_likelihood(const Parameter& p, const Statistic& s) const;
    double log_constant(const Parameter& p) const;  // the density's logarithm at its mean
    std::size_t parameter_count() const { return feature_count(); }

    std::vector<double> mean(const Parameter& p) const { return p.mean; }
    std::vector<double> variance(const Parameter& p) const;  // the covariance, d x d
    std::vector<double> sample(const Parameter& p, Rng& rng) const;

    Prior default_prior() const;  // mean 0 worth one row; the expected precision is the identity
    bool valid(const Prior& prior) const;
    Prior posterior(const Prior& prior, const Statistic& s) const;
    Result<Parameter> most_probable(const Prior& prior) const;
    Result<Parameter> expected(const Prior& prior) const;
    // Of the mean and the lower triangle of the precision, row by row: feature_count() squared numbers.
    std::vector<double> prior_covariance(const Prior& prior) const;
    double log_prior_density(const Prior& prior, const Parameter& p) const;
    Parameter draw(const Prior& prior, Rng& rng) const;
    double log_predictive(const Prior& prior, Value x) const;
    double log_evidence(const Prior& prior, const Statistic& s) const;

    // T = (x, lower triangle of x x' row by row), eta = (P m, -P_ii/2 and -P_ij), P = S^-1;
    // A = m' P m / 2 + log|S| / 2, h = (2 pi)^(-d/2).
    std::size_t feature_count() const { return dimension + dimension * (dimension + 1) / 2; }
    void write_features(Value x, std::span<double> out) const;
    void write_natural(const Parameter& p, std::span<double> out) const;
    Result<Parameter> from_natural(std::span<const double> natural) const;
    double log_partition(const Parameter& p) const;
    void write_mean_features(const Parameter& p, std::span<double> out) const;
    void write_feature_covariance(const Parameter& p, std::span<double> out) const;
    double log_carrier(Value) const;
    double expected_log_carrier(const Parameter&) const;

private:
    Result<Parameter> with_divisor(const std::vector<double>& mean, const std::vector<double>& scatter,
                                   double divisor) const;
};

static_assert(ConjugateFamily<GaussianVector> && LinearFamily<GaussianVector> && UnbiasedFamily<GaussianVector> &&
              RemovableStatistic<GaussianVector::Statistic> && DecayableStatistic<GaussianVector::Statistic>);

}  // namespace suffice
