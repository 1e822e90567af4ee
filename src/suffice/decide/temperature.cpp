// The log loss is convex in the sharpness 1/T, so its derivative has one root.
#include "suffice/decide/temperature.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/math/log_sum_exp.hpp"
#include "suffice/math/newton.hpp"

namespace suffice {

namespace {

constexpr double least_sharpness = 1e-3, most_sharpness = 1e3;

// d/ds of -log p'(truth) is E'[log p] - log p(truth); its own derivative is the variance of log p under p'.
ValueAndSlope slope_of_loss(const CalibrationRows& rows, std::span<const double> logs, double sharpness) {
    ValueAndSlope sum;
    std::vector<double> shares(rows.class_count);
    for (std::size_t row = 0; row < rows.row_count(); ++row) {
        const auto own = logs.subspan(row * rows.class_count, rows.class_count);
        for (std::size_t code = 0; code < shares.size(); ++code) shares[code] = sharpness * own[code];
        softmax(shares);
        double mean = 0, square = 0;
        for (std::size_t code = 0; code < shares.size(); ++code) mean += shares[code] * own[code];
        for (std::size_t code = 0; code < shares.size(); ++code) {
            square += shares[code] * (own[code] - mean) * (own[code] - mean);
        }
        sum.value += rows.weights[row] * (mean - own[static_cast<std::size_t>(rows.truths[row])]);
        sum.slope += rows.weights[row] * square;
    }
    return sum;
}

}  // namespace

TemperatureScaling TemperatureScaling::fit(const CalibrationRows& rows) {
    std::vector<double> logs(rows.posteriors.size());
    std::transform(rows.posteriors.begin(), rows.posteriors.end(), logs.begin(), log_positive);
    const auto slope = [&](double sharpness) { return slope_of_loss(rows, logs, sharpness); };
    if (slope(least_sharpness).value >= 0) return {1 / least_sharpness};
    if (slope(most_sharpness).value <= 0) return {1 / most_sharpness};
    return {1 / find_root(slope, least_sharpness, most_sharpness, 1.0, {.tolerance = 1e-12, .max_iterations = 100}).x};
}

void TemperatureScaling::apply(std::span<double> posteriors) const {
    for (double& posterior : posteriors) posterior = log_positive(posterior) / temperature;
    softmax(posteriors);
}

bool TemperatureScaling::valid(std::size_t) const { return temperature > 0 && std::isfinite(temperature); }

}  // namespace suffice
