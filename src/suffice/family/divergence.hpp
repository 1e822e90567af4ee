// Entropy, risk and divergence of any family in its exponential form, in nats, and sequential maximum likelihood.
//   H(p)     = A(eta) - eta . E[T] - E[log h]
//   risk     = A(eta') - eta' . E[T] - E[log h]           cross-entropy: the mean loss of eta' where eta is true
//   KL(p,p') = A(eta') - A(eta) - (eta' - eta) . grad A(eta)
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "suffice/family/concepts.hpp"
#include "suffice/family/matching.hpp"
#include "suffice/math/cholesky.hpp"

namespace suffice {

template <LinearFamily F>
std::vector<double> natural_of(const F& family, const typename F::Parameter& parameter) {
    std::vector<double> natural(family.feature_count());
    family.write_natural(parameter, natural);
    return natural;
}

// grad A(eta) = E[T].
template <LinearFamily F>
std::vector<double> mean_features(const F& family, const typename F::Parameter& parameter) {
    std::vector<double> mean(family.feature_count());
    family.write_mean_features(parameter, mean);
    return mean;
}

inline double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// A family may know that `other` calls impossible what `truth` allows (a zero kept as the smallest probability).
template <LinearFamily F>
bool calls_impossible(const F& family, const typename F::Parameter& other, const typename F::Parameter& truth) {
    if constexpr (requires { family.excludes(other, truth); })
        return family.excludes(other, truth);
    else
        return false;
}

template <LinearFamily F>
double cross_entropy(const F& family, const typename F::Parameter& truth, const typename F::Parameter& other) {
    if (calls_impossible(family, other, truth)) return std::numeric_limits<double>::infinity();
    return family.log_partition(other) - dot(natural_of(family, other), mean_features(family, truth)) -
           family.expected_log_carrier(truth);
}

template <LinearFamily F>
double entropy(const F& family, const typename F::Parameter& parameter) {
    return cross_entropy(family, parameter, parameter);
}

// Never below 0; rounding of the difference is cut off there.
template <LinearFamily F>
double kl_divergence(const F& family, const typename F::Parameter& truth, const typename F::Parameter& other) {
    if (calls_impossible(family, other, truth)) return std::numeric_limits<double>::infinity();
    std::vector<double> change = natural_of(family, other);
    const std::vector<double> natural = natural_of(family, truth);
    for (std::size_t i = 0; i < change.size(); ++i) change[i] -= natural[i];
    return std::max(
        0.0, family.log_partition(other) - family.log_partition(truth) - dot(change, mean_features(family, truth)));
}

// The gradient of log p(x|eta) in eta: T(x) - E[T].
template <LinearFamily F>
std::vector<double> score(const F& family, const typename F::Parameter& parameter, const typename F::Value& x) {
    std::vector<double> gradient(family.feature_count());
    family.write_features(x, gradient);
    const std::vector<double> mean = mean_features(family, parameter);
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] -= mean[i];
    return gradient;
}

// Equal up to the rounding of Newton's method; an unreachable mean is missed by far more.
inline bool near(std::span<const double> reached, std::span<const double> wanted) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (!(std::abs(reached[i] - wanted[i]) <= 1e-8 * (1 + std::abs(wanted[i])))) return false;
    return true;
}

// What a step of sequential estimation moves: eta, or the mean of T (for a Gaussian of known variance: its mean).
enum class Coordinates : std::uint8_t { natural, mean };

// One step of Robbins and Monro (1951) towards maximum likelihood: theta + step * d log p(x|theta) / d theta. Where
// that leaves the parameter space the step is halved. With mean coordinates and step v/N it is the running mean of
// Gaussian rows of variance v, since the gradient there is Cov[T]^-1 (T(x) - E[T]).
template <LinearFamily F>
Result<typename F::Parameter> robbins_monro_step(const F& family, const typename F::Parameter& current,
                                                 const typename F::Value& x, double step,
                                                 Coordinates coordinates = Coordinates::natural) {
    std::vector<double> direction = score(family, current, x);
    const bool in_mean = coordinates == Coordinates::mean;
    std::vector<double> place = in_mean ? mean_features(family, current) : natural_of(family, current);
    if (in_mean) {
        std::vector<double> covariance(direction.size() * direction.size());
        family.write_feature_covariance(current, covariance);
        if (!solve_symmetric(covariance, direction))
            return Error{ErrorKind::singular, std::string(F::name) + ": the sufficient statistic has no spread here"};
    }
    constexpr int halvings = 60;
    std::vector<double> next(place.size());
    for (int attempt = 0; attempt < halvings; ++attempt, step /= 2) {
        for (std::size_t i = 0; i < place.size(); ++i) next[i] = place[i] + step * direction[i];
        auto moved = in_mean ? match_mean_features(family, next, current) : family.from_natural(next);
        if (moved && family.valid(*moved) && (!in_mean || near(mean_features(family, *moved), next))) return moved;
    }
    return Error{std::string(F::name) + ": every step along the score leaves the parameter space"};
}

}  // namespace suffice
