// Priors and floors of variances.
#include "suffice/estimate/variance_rule.hpp"

#include <cmath>

namespace suffice {

double overall_variance(const Gaussian::Statistic& whole) {
    const double variance = Gaussian{}.spread(whole), square = whole.mean * whole.mean;
    if (variance > 0 && variance > square * 1e-30) return variance;
    return square > 0 && std::isfinite(square) ? square : 1.0;
}

VarianceRule::VarianceRule(const Settings& settings, double within, const Gaussian::Statistic& whole)
    : mean_(whole.mean), overall_(overall_variance(whole)) {
    if (settings.adds_share()) {
        least_ = 0x1p-900;
        return;
    }
    least_ = std::max(least_variance_share * overall_, 0x1p-900);
    centre_ = std::max(within, least_);
    if (settings.estimate == Estimate::map || settings.estimate == Estimate::predictive) rows_ = settings.variance_rows;
}

Gaussian::Prior VarianceRule::conjugate() const {
    return {mean_, std::min(centre_ / overall_, 1.0), rows_ / 2, rows_ * centre_ / 2};
}

}  // namespace suffice
