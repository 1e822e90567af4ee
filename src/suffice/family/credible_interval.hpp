// Central credible intervals of the numbers of a parameter, for every prior whose marginals have quantiles:
//   Beta, Gamma, Normal: the number itself; Dirichlet: each level, Beta(a_k, sum of the others);
//   Normal-Gamma: mean ~ t(2 shape; mean, rate / (shape mean_weight)), variance ~ inverse Gamma(shape, rate);
//   Normal-Wishart: the same with shape = (degrees - d + 1)/2 and rate = scatter_jj / 2 (Gelman et al. 2013, sec. 3.6).
#pragma once
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "suffice/base/interval.hpp"
#include "suffice/family/concepts.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

// Of one number of a parameter; `place` is its position where there are several.
struct NamedInterval {
    std::string quantity;
    std::optional<std::size_t> place;
    Interval interval;
};

// Holds the parameter with probability `mass`, and misses it on either side equally often.
template <ScalarPrior F>
Result<Interval> credible_interval(const F& family, const typename F::Prior& prior, double mass) {
    if (!(mass > 0 && mass < 1))
        return Error{"credible interval: the mass " + std::to_string(mass) + " must lie between 0 and 1"};
    if (!family.valid(prior)) return Error{std::string(F::name) + ": the prior is outside of its allowed range"};
    return Interval{family.prior_quantile(prior, (1 - mass) / 2), family.prior_quantile(prior, (1 + mass) / 2)};
}

namespace credible {

inline std::vector<double> listed(double number) { return {number}; }
inline std::vector<double> listed(std::vector<double> numbers) { return numbers; }

inline Interval t_interval(double degrees, double mean, double scale, double mass) {
    const double reach = scale * student_t_quantile(degrees, (1 + mass) / 2);
    return {mean - reach, mean + reach};
}
inline Interval inverse_gamma_interval(double shape, double rate, double mass) {
    return {rate / gamma_quantile(shape, (1 + mass) / 2), rate / gamma_quantile(shape, (1 - mass) / 2)};
}

// The mean and the variance of each column, where the precision is Gamma or Wishart.
class Spreads {
public:
    Spreads(std::size_t columns, double mass) : columns_(columns), mass_(mass) {}
    void add_mean(std::size_t j, double mean, double mean_weight, double shape, double rate) {
        add("mean", j, t_interval(2 * shape, mean, std::sqrt(rate / (shape * mean_weight)), mass_));
    }
    void add_variance(std::size_t j, double shape, double rate) {
        add("variance", j, inverse_gamma_interval(shape, rate, mass_));
    }
    void add(const char* quantity, std::size_t j, Interval interval) {
        made.push_back({quantity, columns_ > 1 ? std::optional(j) : std::nullopt, interval});
    }
    std::vector<NamedInterval> made;

private:
    std::size_t columns_;
    double mass_;
};

template <class Prior>
std::vector<NamedInterval> intervals(const Prior& prior, double mass) {
    if constexpr (requires { prior.concentration; }) {
        std::vector<NamedInterval> made;
        double total = 0;
        for (double each : prior.concentration) total += each;
        for (std::size_t k = 0; k < prior.concentration.size(); ++k) {
            const double own = prior.concentration[k], others = total - own;
            if (prior.concentration.size() == 1)
                made.push_back({"probability", k, {1, 1}});
            else
                made.push_back(
                    {"probability",
                     k,
                     {beta_quantile(own, others, (1 - mass) / 2), beta_quantile(own, others, (1 + mass) / 2)}});
        }
        return made;
    } else if constexpr (requires { prior.scatter; }) {
        const std::size_t d =
            static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(prior.scatter.size()))));
        const double shape = (prior.degrees - static_cast<double>(d) + 1) / 2;
        Spreads spreads(d, mass);
        for (std::size_t j = 0; j < d; ++j)
            if constexpr (requires { prior.mean; })
                spreads.add_mean(j, prior.mean[j], prior.mean_weight, shape, prior.scatter[j * d + j] / 2);
        for (std::size_t j = 0; j < d; ++j) spreads.add_variance(j, shape, prior.scatter[j * d + j] / 2);
        return spreads.made;
    } else if constexpr (requires { prior.rate; }) {
        const auto& means = listed(prior.mean);
        const auto& rates = listed(prior.rate);
        Spreads spreads(means.size(), mass);
        for (std::size_t j = 0; j < means.size(); ++j)
            spreads.add_mean(j, means[j], prior.mean_weight, prior.shape, rates[rates.size() == 1 ? 0 : j]);
        for (std::size_t j = 0; j < rates.size(); ++j) spreads.add_variance(j, prior.shape, rates[j]);
        if (rates.size() == 1 && means.size() > 1) spreads.made.back().place.reset();
        return spreads.made;
    } else {
        Spreads spreads(prior.mean.size(), mass);
        const double reach = normal_quantile((1 + mass) / 2);
        for (std::size_t j = 0; j < prior.mean.size(); ++j) {
            const double half = reach * std::sqrt(prior.covariance[j * prior.mean.size() + j]);
            spreads.add("mean", j, {prior.mean[j] - half, prior.mean[j] + half});
        }
        return spreads.made;
    }
}

}  // namespace credible

template <ConjugateFamily F>
Result<std::vector<NamedInterval>> credible_intervals(const F& family, const typename F::Prior& prior, double mass) {
    if constexpr (ScalarPrior<F>) {
        const auto interval = credible_interval(family, prior, mass);
        if (!interval) return interval.error();
        std::string quantity;
        if constexpr (requires { F::prior_quantity; })
            quantity = F::prior_quantity;
        else
            quantity = field_at<0>(F::Parameter::fields).name;
        return std::vector<NamedInterval>{{quantity, std::nullopt, *interval}};
    } else {
        if (!(mass > 0 && mass < 1))
            return Error{"credible interval: the mass " + std::to_string(mass) + " must lie between 0 and 1"};
        auto found = credible::intervals(prior, mass);
        if constexpr (requires(const typename F::Parameter& own) { own.log_mean; })  // a Gaussian of logarithms
            for (NamedInterval& each : found) each.quantity.insert(0, "log_");
        return found;
    }
}

}  // namespace suffice
