// The dispersion form of a family whose T(x) is x: p(x | theta, s) = (1/s) h(x/s) g(theta) exp(theta . x / s).
// With a scale s shared by the classes, log p(x|theta_1) - log p(x|theta_2) is linear in x, so that posteriors of the
// classes are a softmax of linear scores (Bishop 2006, sec. 4.2.4). For d columns the factor is s^-d.
#pragma once
#include <cmath>
#include <concepts>
#include <span>
#include <vector>

#include "suffice/family/concepts.hpp"
#include "suffice/family/exponential.hpp"
#include "suffice/family/gaussian_known_variance.hpp"
#include "suffice/family/gaussian_vector_known_covariance.hpp"

namespace suffice {

// Continuous, and T(x) = x. Counts stay whole numbers under no scale but 1, so they have no dispersion form.
template <class F>
concept DispersibleFamily =
    LinearFamily<F> && (std::same_as<F, Exponential> || std::same_as<F, GaussianKnownVariance> ||
                        std::same_as<F, GaussianVectorKnownCovariance>);

// A class's linear score: log p(x | theta, s) = weights . x + offset + what all classes share.
struct LinearScore {
    std::vector<double> weights;
    double offset = 0;
};

template <DispersibleFamily F>
struct Dispersion {
    using Value = typename F::Value;
    using Parameter = typename F::Parameter;
    F family;          // of x/s
    double scale = 1;  // s, positive

    double log_density(const Parameter& p, const Value& x) const {
        const auto unit = scaled(x, 1 / scale);
        return family.log_density(p, unit) - static_cast<double>(size(unit)) * std::log(scale);
    }
    auto mean(const Parameter& p) const { return scaled(family.mean(p), scale); }
    auto variance(const Parameter& p) const { return scaled(family.variance(p), scale * scale); }
    auto sample(const Parameter& p, Rng& rng) const { return scaled(family.sample(p, rng), scale); }

    // theta / s, and log g(theta) = -A(theta).
    LinearScore linear_score(const Parameter& p) const {
        LinearScore score{std::vector<double>(family.feature_count()), -family.log_partition(p)};
        family.write_natural(p, score.weights);
        for (double& w : score.weights) w /= scale;
        return score;
    }

private:
    static double scaled(double x, double factor) { return x * factor; }
    static std::vector<double> scaled(std::span<const double> x, double factor) {
        std::vector<double> out(x.begin(), x.end());
        for (double& v : out) v *= factor;
        return out;
    }
    static std::size_t size(double) { return 1; }
    static std::size_t size(const std::vector<double>& x) { return x.size(); }
};

}  // namespace suffice
