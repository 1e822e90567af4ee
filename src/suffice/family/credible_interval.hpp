// The central credible interval of a parameter that is one number, for any family whose prior has quantiles.
#pragma once
#include <string>

#include "suffice/base/interval.hpp"
#include "suffice/family/concepts.hpp"

namespace suffice {

// Holds the parameter with probability `mass`, and misses it on either side equally often.
template <ScalarPrior F>
Result<Interval> credible_interval(const F& family, const typename F::Prior& prior, double mass) {
    if (!(mass > 0 && mass < 1))
        return Error{"credible interval: the mass " + std::to_string(mass) + " must lie between 0 and 1"};
    if (!family.valid(prior)) return Error{std::string(F::name) + ": the prior is outside of its allowed range"};
    return Interval{family.prior_quantile(prior, (1 - mass) / 2), family.prior_quantile(prior, (1 + mass) / 2)};
}

}  // namespace suffice
