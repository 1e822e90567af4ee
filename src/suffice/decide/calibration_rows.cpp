// Rows, log odds and the logistic fit of the calibrations.
#include "suffice/decide/calibration_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/math/newton.hpp"
#include "suffice/math/sigmoid.hpp"

namespace suffice {

void CalibrationRows::add(std::span<const double> row_posteriors, std::int32_t truth, double weight) {
    posteriors.insert(posteriors.end(), row_posteriors.begin(), row_posteriors.end());
    truths.push_back(truth);
    weights.push_back(weight);
}

double CalibrationRows::weight_of(std::size_t class_code) const {
    double sum = 0;
    for (std::size_t row = 0; row < row_count(); ++row) {
        if (static_cast<std::size_t>(truths[row]) == class_code) sum += weights[row];
    }
    return sum;
}

Result<CalibrationRows> calibration_rows(const PosteriorRows& rows) {
    if (auto good = check(rows); !good) return good.error();
    CalibrationRows result;
    result.class_count = rows.class_count;
    for (std::size_t row = 0; row < rows.row_count(); ++row) {
        if (rows.truths[row] >= 0 && rows.weight(row) > 0)
            result.add(rows.row(row), rows.truths[row], rows.weight(row));
    }
    if (result.truths.empty()) return Error("Calibration needs rows whose label is known, but there are none.");
    const auto [least, most] = std::minmax_element(result.truths.begin(), result.truths.end());
    if (*least == *most) return Error("Calibration needs rows of at least two classes, but all are of one.");
    return result;
}

double log_positive(double probability) { return std::log(std::max(probability, std::numeric_limits<double>::min())); }

LogPair log_pair(std::span<const double> posteriors, std::size_t class_code) {
    double rest = 0;
    for (std::size_t code = 0; code < posteriors.size(); ++code) {
        if (code != class_code) rest += posteriors[code];
    }
    return {log_positive(posteriors[class_code]), log_positive(rest)};
}

std::vector<double> smoothed_targets(const CalibrationRows& rows, std::size_t class_code) {
    const double all = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
    const double hits = rows.weight_of(class_code), misses = all - hits;
    std::vector<double> targets;
    for (const std::int32_t truth : rows.truths) {
        targets.push_back(static_cast<std::size_t>(truth) == class_code ? (hits + 1) / (hits + 2) : 1 / (misses + 2));
    }
    return targets;
}

SigmoidFit fit_logistic(std::span<const double> features, std::size_t width, std::span<const double> targets,
                        std::span<const double> weights) {
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    const auto loss = [&](std::span<const double> beta, std::span<double> gradient, std::span<double> hessian) {
        double sum = 0;
        std::fill(gradient.begin(), gradient.end(), 0.0);
        std::fill(hessian.begin(), hessian.end(), 0.0);
        for (std::size_t row = 0; row < targets.size(); ++row) {
            const auto own = features.subspan(row * width, width);
            const double score = std::inner_product(own.begin(), own.end(), beta.begin(), 0.0);
            const double share = weights[row] / all;
            sum += share * (log1p_exp(score) - targets[row] * score);
            const double slope = share * (sigmoid(score) - targets[row]), bend = share * sigmoid_derivative(score);
            for (std::size_t a = 0; a < width; ++a) {
                gradient[a] += slope * own[a];
                for (std::size_t b = 0; b <= a; ++b) hessian[a * width + b] += bend * own[a] * own[b];
            }
        }
        return sum;
    };
    SigmoidFit fit{std::vector<double>(width), 0};
    fit.loss = minimize(loss, fit.coefficients, {.tolerance = 1e-10}).value;
    return fit;
}

}  // namespace suffice
