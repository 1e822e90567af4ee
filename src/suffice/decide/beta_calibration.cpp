// The loss is convex, so its minimum under a, b >= 0 is the best feasible one among the faces: both free, a = 0, b = 0,
// both 0.
#include "suffice/decide/beta_calibration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "suffice/math/log_sum_exp.hpp"
#include "suffice/math/sigmoid.hpp"

namespace suffice {

namespace {

struct Curve {
    double a = 0, b = 0, c = 0, loss = std::numeric_limits<double>::infinity();
};

Curve fit_face(std::span<const LogPair> pairs, std::span<const double> targets, std::span<const double> weights,
               bool a_free, bool b_free) {
    const std::size_t width = 1 + (a_free ? 1 : 0) + (b_free ? 1 : 0);
    std::vector<double> features;
    for (const LogPair& pair : pairs) {
        features.push_back(1);
        if (a_free) features.push_back(pair.log_own);
        if (b_free) features.push_back(-pair.log_rest);
    }
    const SigmoidFit fit = fit_logistic(features, width, targets, weights);
    return {a_free ? fit.coefficients[1] : 0, b_free ? fit.coefficients.back() : 0, fit.coefficients[0], fit.loss};
}

Curve fit_curve(std::span<const LogPair> pairs, std::span<const double> targets, std::span<const double> weights) {
    const Curve free = fit_face(pairs, targets, weights, true, true);
    if (free.a >= 0 && free.b >= 0) return free;
    Curve best;
    constexpr std::array<std::array<bool, 2>, 3> faces{{{false, true}, {true, false}, {false, false}}};
    for (const auto& [a_free, b_free] : faces) {
        const Curve face = fit_face(pairs, targets, weights, a_free, b_free);
        if (face.a >= 0 && face.b >= 0 && face.loss < best.loss) best = face;
    }
    return best;
}

}  // namespace

BetaCalibration BetaCalibration::fit(const CalibrationRows& rows) {
    const std::size_t classes = rows.class_count;
    BetaCalibration result{std::vector<double>(classes, 1.0), std::vector<double>(classes, 1.0),
                           std::vector<double>(classes, 0.0)};
    std::vector<LogPair> pairs(rows.row_count());
    for (std::size_t code = 0; code < classes; ++code) {
        if (!(rows.weight_of(code) > 0)) continue;
        for (std::size_t row = 0; row < rows.row_count(); ++row) pairs[row] = log_pair(rows.row(row), code);
        const Curve curve = fit_curve(pairs, smoothed_targets(rows, code), rows.weights);
        result.a[code] = curve.a;
        result.b[code] = curve.b;
        result.c[code] = curve.c;
    }
    return result;
}

void BetaCalibration::apply(std::span<double> posteriors) const {
    std::vector<double> logs(posteriors.size());
    for (std::size_t code = 0; code < logs.size(); ++code) {
        const LogPair pair = log_pair(posteriors, code);
        logs[code] = log_sigmoid(a[code] * pair.log_own - b[code] * pair.log_rest + c[code]);
    }
    softmax(logs);
    std::copy(logs.begin(), logs.end(), posteriors.begin());
}

bool BetaCalibration::valid(std::size_t class_count) const {
    const auto good = [=](const std::vector<double>& values, double least) {
        return values.size() == class_count &&
               std::all_of(values.begin(), values.end(), [=](double v) { return std::isfinite(v) && v >= least; });
    };
    return good(a, 0) && good(b, 0) && good(c, std::numeric_limits<double>::lowest());
}

}  // namespace suffice
