// Newton's method on one intercept and one slope.
#include "suffice/evaluate/calibration_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "suffice/math/newton.hpp"
#include "suffice/math/sigmoid.hpp"

namespace suffice {
namespace {

struct LogOdds {
    double value = 0, weight = 0;
    bool positive = false;
};

struct Line {
    std::array<double, 2> at{};     // intercept, slope
    std::array<double, 2> error{};  // standard errors
    bool converged = false;
};

// The loss with its derivatives by intercept and slope; of a slope that stays, by the intercept alone.
double loss_at(std::span<const LogOdds> rows, double intercept, double slope, bool free, std::span<double> gradient,
               std::span<double> hessian) {
    std::ranges::fill(gradient, 0.0);
    std::ranges::fill(hessian, 0.0);
    double loss = 0;
    for (const LogOdds& row : rows) {
        const double a = intercept + slope * row.value, p = sigmoid(a);
        loss += row.weight * (std::max(a, 0.0) + std::log1p(std::exp(-std::abs(a))) - (row.positive ? a : 0));
        const double way = row.weight * (p - (row.positive ? 1.0 : 0.0)), bend = row.weight * p * (1 - p);
        gradient[0] += way;
        hessian[0] += bend;
        if (!free) continue;
        gradient[1] += way * row.value;
        hessian[2] += bend * row.value;
        hessian[3] += bend * row.value * row.value;
    }
    return loss;
}

Line fit_line(std::span<const LogOdds> rows, bool free) {
    Line line{{0, 1}, {}, false};
    const std::size_t d = free ? 2 : 1;
    const auto loss = [&](std::span<const double> x, std::span<double> gradient, std::span<double> hessian) {
        return loss_at(rows, x[0], free ? x[1] : 1.0, free, gradient, hessian);
    };
    const Minimum found = minimize(loss, std::span(line.at).first(d), {1e-10, 100});
    line.converged = found.converged && std::abs(line.at[0]) < 50 && std::abs(line.at[1]) < 50;
    std::array<double, 2> gradient{};
    std::array<double, 4> hessian{};
    loss_at(rows, line.at[0], line.at[1], free, gradient, hessian);
    const double determinant = free ? hessian[0] * hessian[3] - hessian[2] * hessian[2] : hessian[0];
    if (!(determinant > 0)) line.converged = false;
    line.error = {std::sqrt(free ? hessian[3] / determinant : 1 / determinant),
                  free ? std::sqrt(hessian[0] / determinant) : 0};
    return line;
}

}  // namespace

std::optional<CalibrationLine> calibration_line(std::span<const ScoredWeight> scored, std::int32_t positive) {
    std::vector<LogOdds> rows;
    double hits = 0, misses = 0, low = INFINITY, high = -INFINITY;
    for (const ScoredWeight& each : scored) {
        if (!(each.weight > 0)) continue;
        const double p = std::clamp(each.score, 0x1p-52, 1 - 0x1p-52);
        rows.push_back({std::log(p) - std::log1p(-p), each.weight, each.truth == positive});
        (rows.back().positive ? hits : misses) += each.weight;
        low = std::min(low, rows.back().value);
        high = std::max(high, rows.back().value);
    }
    if (!(hits > 0 && misses > 0 && high > low)) return std::nullopt;
    const Line both = fit_line(rows, true), large = fit_line(rows, false);
    if (!both.converged || !large.converged) return std::nullopt;
    return CalibrationLine{both.at[1], both.error[1], both.at[0], both.error[0], large.at[0], large.error[0]};
}

}  // namespace suffice
