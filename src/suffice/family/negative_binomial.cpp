// The negative binomial's r by Newton's method, from the rows.
#include "suffice/family/negative_binomial.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "suffice/family/observe.hpp"
#include "suffice/math/newton.hpp"

namespace suffice {

// With q = r / (r + m) the score of r is sum_x w_x (psi(x + r) - psi(r)) - n log(1 + m / r). It has a root where the
// variance exceeds the mean (Levin and Reeds 1977, "Compound multinomial likelihood functions are unimodal").
Result<NegativeBinomial> most_likely_negative_binomial(std::span<const double> values,
                                                       std::span<const double> weights) {
    const NegativeBinomial any;
    const auto observed = observe_all(any, values, weights);
    if (!observed) return observed.error();
    const double n = observed->total_weight;
    if (!(n > 0)) return Error{"negative_binomial: no rows to estimate r from"};

    std::map<double, double> weight_of;
    for (std::size_t i = 0; i < values.size(); ++i) weight_of[values[i]] += weights.empty() ? 1 : weights[i];
    const double mean = observed->total / n;
    double squares = 0;
    for (const auto& [x, weight] : weight_of) squares += weight * (x - mean) * (x - mean);
    const double variance = squares / n;
    if (!(variance > mean))
        return Error{"negative_binomial: the variance " + value_text({&variance, 1}) + " does not exceed the mean " +
                     value_text({&mean, 1}) + ", so no r is most likely; poisson fits such counts"};

    // In log r, so that every step stays above zero.
    const auto score = [&](double log_r) {
        const double r = std::exp(log_r), psi = digamma(r), psi_slope = trigamma(r);
        ValueAndSlope at{-n * std::log1p(mean / r), n * mean / (r + mean)};
        for (const auto& [x, weight] : weight_of) {
            at.value += weight * (digamma(x + r) - psi);
            at.slope += weight * r * (trigamma(x + r) - psi_slope);
        }
        at.slope =
            std::min(at.slope, -smallest_probability);  // the score falls through its root, then levels off below 0
        return at;
    };
    const double infinity = std::numeric_limits<double>::infinity();
    const Root root = find_root(score, -infinity, infinity, std::log(mean * mean / (variance - mean)));
    if (!root.converged) return Error{"negative_binomial: the search for r did not settle"};
    return NegativeBinomial{std::exp(root.x)};
}

}  // namespace suffice
