// Gaussian of d columns that are independent of each other: d Gaussians side by side, with one weight.
// Prior: a Normal-Gamma per column, which share mean_weight and shape (Murphy 2007, sec. 3). Mode, mean and density of
// the prior are those of (means, precisions).
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "suffice/family/concepts.hpp"
#include "suffice/family/gaussian.hpp"

namespace suffice {

struct GaussianVectorDiagonal {
    using Value = std::span<const double>;
    static constexpr std::string_view name = "gaussian_vector_diagonal";
    static constexpr std::string_view support = "vectors of finite numbers";
    static constexpr std::string_view prior_name = "normal_gamma";
    std::size_t dimension = 1;
    static constexpr auto fields = FieldTuple{field("dimension", &GaussianVectorDiagonal::dimension)};

    struct Statistic {
        double total_weight = 0;
        std::vector<double> mean;
        std::vector<double> scatter;  // per column: sum of w (x - mean)^2
        static constexpr auto fields =
            FieldTuple{field("weight", &Statistic::total_weight), field("mean", &Statistic::mean),
                       field("scatter", &Statistic::scatter)};

        double weight() const { return total_weight; }
        void merge(const Statistic& from);
        void remove(const Statistic& rows);
        void scale(double factor);
        Gaussian::Statistic column(std::size_t j) const { return {total_weight, mean[j], scatter[j]}; }
        bool operator==(const Statistic&) const = default;
    };
    struct Parameter {
        std::vector<double> mean;
        std::vector<double> variance;  // per column
        static constexpr auto fields =
            FieldTuple{field("mean", &Parameter::mean), field("variance", &Parameter::variance)};
        Gaussian::Parameter column(std::size_t j) const { return {mean[j], variance[j]}; }
        bool operator==(const Parameter&) const = default;
    };
    struct Prior {
        std::vector<double> mean;
        double mean_weight = 1;
        double shape = 1;
        std::vector<double> rate;  // per column
        static constexpr auto fields =
            FieldTuple{field("mean", &Prior::mean), field("mean_weight", &Prior::mean_weight),
                       field("shape", &Prior::shape), field("rate", &Prior::rate)};
        Gaussian::Prior column(std::size_t j) const { return {mean[j], mean_weight, shape, rate[j]}; }
        bool operator==(const Prior&) const = default;
    };

    bool operator==(const GaussianVectorDiagonal&) const = default;
    static std::pair<GaussianVectorDiagonal, Parameter> typical() {
        return {GaussianVectorDiagonal{2}, {{50, -3}, {4, 0.25}}};
    }

    std::size_t value_size() const { return dimension; }
    bool supports(Value x) const;
    Statistic empty() const { return {0, std::vector<double>(dimension), std::vector<double>(dimension)}; }
    void observe(Statistic& into, Value x, double weight) const;
    bool valid(const Statistic& s) const;
    bool valid(const Parameter& p) const;

    Result<Parameter> most_likely(const Statistic& s) const;  // variances of 0 wait for widen(), as the Gaussian's
    Result<Parameter> unbiased(const Statistic& s) const;
    double spread(const Statistic& s) const;  // the largest variance of a column
    void widen(Parameter& p, double floor) const;

    double log_density(const Parameter& p, Value x) const;
    double log_likelihood(const Parameter& p, const Statistic& s) const;
    std::size_t parameter_count() const { return 2 * dimension; }

    std::vector<double> mean(const Parameter& p) const { return p.mean; }
    std::vector<double> variance(const Parameter& p) const;  // the covariance, d x d
    std::vector<double> sample(const Parameter& p, Rng& rng) const;

    Prior default_prior() const { return {std::vector<double>(dimension), 1, 1, std::vector<double>(dimension, 1.0)}; }
    bool valid(const Prior& prior) const;
    Prior posterior(const Prior& prior, const Statistic& s) const;
    Result<Parameter> most_probable(const Prior& prior) const;
    Result<Parameter> expected(const Prior& prior) const;
    std::vector<double> prior_covariance(const Prior& prior) const;  // of (means, precisions), row by row
    double log_prior_density(const Prior& prior, const Parameter& p) const;
    Parameter draw(const Prior& prior, Rng& rng) const;
    double log_predictive(const Prior& prior, Value x) const;
    double log_evidence(const Prior& prior, const Statistic& s) const;

    // T = (x, x_1^2 ... x_d^2), eta = (m/v, -1/(2v)), A = sum of m^2/(2v) + log(v)/2, h = (2 pi)^(-d/2).
    std::size_t feature_count() const { return 2 * dimension; }
    void write_features(Value x, std::span<double> out) const;
    void write_natural(const Parameter& p, std::span<double> out) const;
    Result<Parameter> from_natural(std::span<const double> natural) const;
    double log_partition(const Parameter& p) const;
    void write_mean_features(const Parameter& p, std::span<double> out) const;
    void write_feature_covariance(const Parameter& p, std::span<double> out) const;
    double log_carrier(Value) const { return -0.5 * static_cast<double>(dimension) * log_two_pi; }
    double expected_log_carrier(const Parameter&) const { return log_carrier({}); }

private:
    template <class Estimate>
    Result<Parameter> by_column(Estimate estimate) const;
    template <class Write>
    void write_pairs(std::span<double> out, Write write) const;
};

static_assert(ConjugateFamily<GaussianVectorDiagonal> && LinearFamily<GaussianVectorDiagonal> &&
              UnbiasedFamily<GaussianVectorDiagonal> && CollapsibleFamily<GaussianVectorDiagonal> &&
              RemovableStatistic<GaussianVectorDiagonal::Statistic> &&
              DecayableStatistic<GaussianVectorDiagonal::Statistic>);

}  // namespace suffice
