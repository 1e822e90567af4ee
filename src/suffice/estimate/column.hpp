// One column's statistic -> parameter or posterior, for any family.
#pragma once
#include <optional>
#include <string>
#include <variant>

#include "suffice/estimate/settings.hpp"
#include "suffice/family/concepts.hpp"
#include "suffice/family/prior_text.hpp"

namespace suffice {

template <class F>
struct PriorOf {
    using Type = std::monostate;  // no conjugate prior
};
template <ConjugateFamily F>
struct PriorOf<F> {
    using Type = typename F::Prior;
};
template <class F>
using OptionalPrior = std::optional<typename PriorOf<F>::Type>;

// The user's prior of the column, else the smoothing of its family, else none: continuous families have no prior that
// fits every scale. Smoothing a: Dirichlet/Beta(1 + a) under map and (a) under predictive, both (n + a)/(N + a L);
// rates take `a` rows at the mean of the whole column.
template <Family F>
Result<OptionalPrior<F>> column_prior(const F& family, const Settings& settings, const std::string& column,
                                      const typename F::Statistic& whole) {
    if (settings.estimate != Estimate::map && settings.estimate != Estimate::predictive) return OptionalPrior<F>{};
    for (const auto& given : settings.column_priors) {
        if (given.column != column) continue;
        if constexpr (ConjugateFamily<F>) {
            auto prior = read_prior(family, given.prior);
            if (!prior) return Error(prior.error()).in_column(column);
            return OptionalPrior<F>(*prior);
        } else {
            return Error(ErrorKind::usage, "the family " + std::string(F::name) + " has no conjugate prior")
                .in_column(column);
        }
    }
    const bool map = settings.estimate == Estimate::map;
    if constexpr (SmoothedFamily<F>) {
        if (settings.smoothing > 0 || map)
            return OptionalPrior<F>(family.smoothing(settings.smoothing + (map ? 1 : 0)));
    } else if constexpr (PulledFamily<F>) {
        if (settings.smoothing > 0 && whole.weight() > 0)
            return OptionalPrior<F>(family.pulled_prior(settings.smoothing, whole));
    }
    return OptionalPrior<F>{};
}

template <Family F>
Result<typename F::Parameter> likely_parameter(const F& family, const typename F::Statistic& statistic,
                                               Estimate estimate) {
    if constexpr (UnbiasedFamily<F>)
        if (estimate == Estimate::unbiased) return family.unbiased(statistic);
    return family.most_likely(statistic);
}

}  // namespace suffice
