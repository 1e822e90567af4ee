// What keeps a column's variance off zero: a weak prior around its pooled variance within classes, and a floor of its
// own. No other column's units play a part.
#pragma once
#include <algorithm>

#include "suffice/estimate/settings.hpp"
#include "suffice/family/gaussian.hpp"

namespace suffice {

class VarianceRule {
public:
    // `within`: the pooled variance inside classes; `whole`: the column over all of them.
    VarianceRule(const Settings& settings, double within, const Gaussian::Statistic& whole);

    // Under map and predictive: rows of the prior, each at its centre. The posterior's mode is
    // (scatter + rows * centre) / (n + rows).
    double rows() const { return rows_; }
    double centre() const { return centre_; }
    // Whether the floor holds it up.
    bool lifts(double variance) const { return !(variance >= least_); }
    double operator()(double variance) const { return std::max(variance, least_); }
    // The same prior with the class's mean around the whole column's, as if seen in within / overall of a row: N(mean
    // of the column, its overall variance) while the variance is at its centre.
    Gaussian::Prior conjugate() const;

private:
    double rows_ = 0, centre_ = 0, least_ = 0, mean_ = 0, overall_ = 0;
};

// The least share of its column's overall variance that a variance may have.
inline constexpr double least_variance_share = 1e-9;
// The variance of a column over all rows; one that never varies has no scale but its own size, and at zero none.
double overall_variance(const Gaussian::Statistic& whole);

}  // namespace suffice
