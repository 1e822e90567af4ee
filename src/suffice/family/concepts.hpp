// What a distribution must offer so that every model, backend and binding can use it.
//
//   p(x | eta) = h(x) exp( <eta, T(x)> - A(eta) )
//
// A Family is a small value that fixes the shape (number of levels, dimension). Its Statistic is the
// running sum of w T(x) and of w log h(x): a commutative monoid under merge, whose identity is
// family.empty(). The laws that every family keeps are tested in tests/laws.
#pragma once
#include <concepts>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "suffice/base/fields.hpp"
#include "suffice/base/random.hpp"
#include "suffice/base/result.hpp"

namespace suffice {

// A zero probability or rate is kept as this, so that log posteriors stay finite.
inline constexpr double smallest_probability = std::numeric_limits<double>::min();

// merge must not depend on where the rows were cut, nor on which side is empty.
template <class S>
concept Statistic = std::regular<S> && requires(S into, const S& from) {
    { into.merge(from) } -> std::same_as<void>;
    { from.weight() } -> std::same_as<double>;
};

// remove undoes merge. It does not judge: taking out rows that were never in leaves a statistic
// that family.valid() refuses, and the caller keeps the old one.
template <class S>
concept RemovableStatistic = Statistic<S> && requires(S from, const S& rows) {
    { from.remove(rows) } -> std::same_as<void>;
};
template <class S>
concept DecayableStatistic = Statistic<S> && requires(S statistic, double factor) {
    { statistic.scale(factor) } -> std::same_as<void>;
};

template <class F>
concept Family = std::regular<F> && Statistic<typename F::Statistic> && std::regular<typename F::Parameter> &&
                 Fielded<F> && Fielded<typename F::Statistic> && Fielded<typename F::Parameter> &&
                 requires(const F& family, typename F::Statistic& into, const typename F::Statistic& statistic,
                          const typename F::Parameter& parameter, const typename F::Value& x, double weight, Rng& rng) {
                     { F::name } -> std::convertible_to<std::string_view>;
                     {
                         F::support
                     } -> std::convertible_to<std::string_view>;  // in words, for errors: "whole numbers from 0"
                     { family.supports(x) } -> std::same_as<bool>;
                     { family.empty() } -> std::same_as<typename F::Statistic>;
                     { family.observe(into, x, weight) } -> std::same_as<void>;
                     { family.valid(statistic) } -> std::same_as<bool>;  // the right shape, nothing negative
                     { family.valid(parameter) } -> std::same_as<bool>;  // inside the parameter space
                     { family.most_likely(statistic) } -> std::same_as<Result<typename F::Parameter>>;
                     { family.log_density(parameter, x) } -> std::same_as<double>;
                     { family.log_likelihood(parameter, statistic) } -> std::same_as<double>;  // of all rows in it
                     { family.parameter_count() } -> std::same_as<std::size_t>;
                     { family.mean(parameter) };      // E[x]: a number, or one per dimension
                     { family.variance(parameter) };  // Var[x]: a number, or the covariance matrix row by row
                     { family.sample(parameter, rng) } -> std::convertible_to<typename F::Value>;
                     {
                         F::typical()
                     } -> std::same_as<std::pair<F, typename F::Parameter>>;  // an example, for laws and docs
                 };

// One column of a block. Codes of levels are doubles too, so that NaN means missing everywhere.
template <class F>
concept ColumnFamily = Family<F> && std::same_as<typename F::Value, double> &&
                       RemovableStatistic<typename F::Statistic> && DecayableStatistic<typename F::Statistic>;

// An estimate whose expectation is the truth, where the likelihood's is not (divisor n - 1).
template <class F>
concept UnbiasedFamily = Family<F> && requires(const F& family, const typename F::Statistic& statistic) {
    { family.unbiased(statistic) } -> std::same_as<Result<typename F::Parameter>>;
};

// The prior is closed under observation: posterior(prior, s) is again a Prior.
template <class F>
concept ConjugateFamily =
    Family<F> && std::regular<typename F::Prior> && Fielded<typename F::Prior> &&
    requires(const F& family, const typename F::Prior& prior, const typename F::Statistic& statistic,
             const typename F::Parameter& parameter, const typename F::Value& x, Rng& rng) {
        { F::prior_name } -> std::convertible_to<std::string_view>;  // "beta", "normal_wishart", ...
        { family.default_prior() } -> std::same_as<typename F::Prior>;
        { family.valid(prior) } -> std::same_as<bool>;
        { family.posterior(prior, statistic) } -> std::same_as<typename F::Prior>;
        { family.most_probable(prior) } -> std::same_as<Result<typename F::Parameter>>;
        { family.expected(prior) } -> std::same_as<Result<typename F::Parameter>>;  // mean of the parameter
        { family.log_prior_density(prior, parameter) } -> std::same_as<double>;
        { family.draw(prior, rng) } -> std::same_as<typename F::Parameter>;
        { family.log_predictive(prior, x) } -> std::same_as<double>;
        { family.log_evidence(prior, statistic) } -> std::same_as<double>;
    };

// The prior of one number (a probability, a rate): quantiles and credible intervals.
template <class F>
concept ScalarPrior = ConjugateFamily<F> && requires(const F& family, const typename F::Prior& prior, double p) {
    { family.prior_quantile(prior, p) } -> std::same_as<double>;
    { family.prior_variance(prior) } -> std::same_as<double>;
};

// Pseudo-counts: smoothing(a) is the prior that adds `a` rows of each kind to the predictive.
template <class F>
concept SmoothedFamily = ConjugateFamily<F> && requires(const F& family, double pseudo_count) {
    { family.smoothing(pseudo_count) } -> std::same_as<typename F::Prior>;
};

// Pseudo-rows at the mean of the whole column (poisson, exponential, geometric): smoothing for families
// whose scale is the data's own. `whole` is the statistic of the column over all classes.
template <class F>
concept PulledFamily =
    ConjugateFamily<F> && requires(const F& family, double pseudo_rows, const typename F::Statistic& whole) {
        { family.pulled_prior(pseudo_rows, whole) } -> std::same_as<typename F::Prior>;
    };

// A family whose maximum likelihood can collapse to a point; estimate/ widens it by a floor.
template <class F>
concept CollapsibleFamily = Family<F> && requires(const F& family, const typename F::Statistic& statistic,
                                                  typename F::Parameter& parameter, double floor) {
    { family.spread(statistic) } -> std::same_as<double>;
    { family.widen(parameter, floor) } -> std::same_as<void>;
};

// Scoring is a matrix product for these: log p = <eta, T(x)> - A(eta) + log h(x), and h cancels
// between classes. Backends (SIMD, GPU) ask only for this, so they never name a family. The minimal
// form: feature_count natural parameters, so that the Hessian of A is regular.
template <class F>
concept LinearFamily =
    Family<F> && requires(const F& family, const typename F::Parameter& parameter, const typename F::Value& x,
                          std::span<double> out, std::span<const double> natural) {
        { family.feature_count() } -> std::same_as<std::size_t>;
        { family.write_features(x, out) } -> std::same_as<void>;         // T(x)
        { family.write_natural(parameter, out) } -> std::same_as<void>;  // eta
        { family.from_natural(natural) } -> std::same_as<Result<typename F::Parameter>>;
        { family.log_partition(parameter) } -> std::same_as<double>;                // A(eta)
        { family.write_mean_features(parameter, out) } -> std::same_as<void>;       // grad A = E[T]
        { family.write_feature_covariance(parameter, out) } -> std::same_as<void>;  // Hess A = Cov[T], row by row
        { family.log_carrier(x) } -> std::same_as<double>;                          // log h(x)
        { family.expected_log_carrier(parameter) } -> std::same_as<double>;         // E[log h(x)]
    };

}  // namespace suffice
