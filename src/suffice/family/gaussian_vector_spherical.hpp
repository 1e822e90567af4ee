// Gaussian of d columns with one variance v for all: log p(x|m,v) = -|x - m|^2/(2 v) - d log(2 pi v)/2.
// Prior: m | v ~ N(mean, v/mean_weight I), 1/v ~ Gamma(shape, rate); the predictive is a multivariate t (Bernardo,
// Smith 1994, sec. 5.2). Mode, mean and density of the prior are those of (mean, precision).
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "suffice/family/concepts.hpp"
#include "suffice/family/gaussian.hpp"

namespace suffice {

struct GaussianVectorSpherical {
    using Value = std::span<const double>;
    static constexpr std::string_view name = "gaussian_vector_spherical";
    static constexpr std::string_view support = "vectors of finite numbers";
    static constexpr std::string_view prior_name = "normal_gamma";
    std::size_t dimension = 1;
    static constexpr auto fields = FieldTuple{field("dimension", &GaussianVectorSpherical::dimension)};

    struct Statistic {
        double total_weight = 0;
        std::vector<double> mean;
        double scatter = 0;  // sum of w |x - mean|^2
        static constexpr auto fields =
            FieldTuple{field("weight", &Statistic::total_weight), field("mean", &Statistic::mean),
                       field("scatter", &Statistic::scatter)};

        double weight() const { return total_weight; }
        void merge(const Statistic& from);
        void remove(const Statistic& rows);
        void scale(double factor);
        // Moves the mean by `share` of the way to `to`; the squared length of the way.
        double move_mean(std::span<const double> to, double share);
        bool operator==(const Statistic&) const = default;
    };
    struct Parameter {
        std::vector<double> mean;
        double variance = 1;  // of every column
        static constexpr auto fields =
            FieldTuple{field("mean", &Parameter::mean), field("variance", &Parameter::variance)};
        bool operator==(const Parameter&) const = default;
    };
    struct Prior {
        std::vector<double> mean;
        double mean_weight = 1;
        double shape = 1;
        double rate = 1;
        static constexpr auto fields =
            FieldTuple{field("mean", &Prior::mean), field("mean_weight", &Prior::mean_weight),
                       field("shape", &Prior::shape), field("rate", &Prior::rate)};
        bool operator==(const Prior&) const = default;
    };

    bool operator==(const GaussianVectorSpherical&) const = default;
    static std::pair<GaussianVectorSpherical, Parameter> typical() {
        return {GaussianVectorSpherical{2}, {{50, -3}, 2.25}};
    }

    std::size_t value_size() const { return dimension; }
    bool supports(Value x) const;
    Statistic empty() const { return {0, std::vector<double>(dimension), 0}; }
    void observe(Statistic& into, Value x, double weight) const;
    bool valid(const Statistic& s) const;
    bool valid(const Parameter& p) const;

    Result<Parameter> most_likely(const Statistic& s) const;  // a variance of 0 waits for widen(), as the Gaussian's
    Result<Parameter> unbiased(const Statistic& s) const;
    double spread(const Statistic& s) const;
    void widen(Parameter& p, double floor) const { p.variance += floor; }

    double log_density(const Parameter& p, Value x) const;
    double log_likelihood(const Parameter& p, const Statistic& s) const;
    std::size_t parameter_count() const { return dimension + 1; }

    std::vector<double> mean(const Parameter& p) const { return p.mean; }
    std::vector<double> variance(const Parameter& p) const;  // the covariance, d x d
    std::vector<double> sample(const Parameter& p, Rng& rng) const;

    Prior default_prior() const { return {std::vector<double>(dimension), 1, 1, 1}; }
    bool valid(const Prior& prior) const;
    Prior posterior(const Prior& prior, const Statistic& s) const;
    Result<Parameter> most_probable(const Prior& prior) const;
    Result<Parameter> expected(const Prior& prior) const { return Parameter{prior.mean, prior.rate / prior.shape}; }
    std::vector<double> prior_covariance(const Prior& prior) const;  // of (mean, precision), row by row
    double log_prior_density(const Prior& prior, const Parameter& p) const;
    Parameter draw(const Prior& prior, Rng& rng) const;
    double log_predictive(const Prior& prior, Value x) const;
    double log_evidence(const Prior& prior, const Statistic& s) const;

    // T = (x, |x|^2), eta = (m/v, -1/(2v)), A = |m|^2/(2v) + d log(v)/2, h = (2 pi)^(-d/2).
    std::size_t feature_count() const { return dimension + 1; }
    void write_features(Value x, std::span<double> out) const;
    void write_natural(const Parameter& p, std::span<double> out) const;
    Result<Parameter> from_natural(std::span<const double> natural) const;
    double log_partition(const Parameter& p) const;
    void write_mean_features(const Parameter& p, std::span<double> out) const;
    void write_feature_covariance(const Parameter& p, std::span<double> out) const;
    double log_carrier(Value) const { return -0.5 * static_cast<double>(dimension) * log_two_pi; }
    double expected_log_carrier(const Parameter&) const { return log_carrier({}); }

private:
    double width() const { return static_cast<double>(dimension); }
};

static_assert(ConjugateFamily<GaussianVectorSpherical> && LinearFamily<GaussianVectorSpherical> &&
              UnbiasedFamily<GaussianVectorSpherical> && CollapsibleFamily<GaussianVectorSpherical> &&
              RemovableStatistic<GaussianVectorSpherical::Statistic> &&
              DecayableStatistic<GaussianVectorSpherical::Statistic>);

}  // namespace suffice
