// Maximum likelihood by Newton on grad A(eta) = mean of T: the equation that every exponential family shares.
// -log likelihood per row is A(eta) - <eta, mean T>, convex, with gradient E[T] - mean T and Hessian Cov[T] (Bishop
// 2006, eq. 2.228). For families without a closed form.
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "suffice/family/concepts.hpp"
#include "suffice/math/newton.hpp"

namespace suffice {

template <LinearFamily F>
Result<typename F::Parameter> match_mean_features(const F& family, std::span<const double> mean_features,
                                                  const typename F::Parameter& start) {
    const std::size_t n = family.feature_count();
    std::vector<double> natural(n);
    family.write_natural(start, natural);
    const auto objective = [&](std::span<const double> eta, std::span<double> gradient, std::span<double> hessian) {
        const auto parameter = family.from_natural(eta);
        if (!parameter) return std::numeric_limits<double>::infinity();  // outside of the parameter space
        family.write_mean_features(*parameter, gradient);
        family.write_feature_covariance(*parameter, hessian);
        double value = family.log_partition(*parameter);
        for (std::size_t k = 0; k < n; ++k) {
            value -= eta[k] * mean_features[k];
            gradient[k] -= mean_features[k];
        }
        return value;
    };
    const Minimum found = minimize(objective, natural, {.tolerance = 1e-12, .max_iterations = 200});
    if (!std::isfinite(found.value))
        return Error{std::string(F::name) + ": no parameter has the likelihood's mean features"};
    return family.from_natural(natural);
}

}  // namespace suffice
