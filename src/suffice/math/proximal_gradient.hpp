// Minimises f(x) + sum_i corner_i |x_i| from values and gradients of f alone. Beck and Teboulle, "A fast iterative
// shrinkage-thresholding algorithm", 2009, in units of given scales; momentum is dropped when the objective rises
// (O'Donoghue and Candes, "Adaptive restart for accelerated gradient schemes", 2015).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "suffice/base/result.hpp"

namespace suffice {

inline double soften(double value, double by) { return value > by ? value - by : value < -by ? value + by : 0; }

struct ProximalPoint {
    std::vector<double> x, gradient;
    double value = 0;  // of f
};

struct ProximalRule {
    std::vector<double> corner;  // infinite: the coordinate stays as it is
    std::vector<double> bend;    // a guess of the curvature along each coordinate, up to a common factor
    double violation = 0;        // converged when no condition of a minimum is missed by more
    double least_fall = 0;       // or when a step without momentum lowers the objective by less
    std::size_t step_limit = 1000;
};

struct ProximalOutcome {
    ProximalPoint at;
    std::size_t steps = 0;
    bool converged = false;
};

inline double corner_sum(const ProximalRule& rule, const std::vector<double>& x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (std::isfinite(rule.corner[i])) sum += rule.corner[i] * std::abs(x[i]);
    return sum;
}

// The largest entry of the shortest subgradient: zero at a minimum (Karush, Kuhn, Tucker).
inline double largest_violation(const ProximalRule& rule, const ProximalPoint& at) {
    double most = 0;
    for (std::size_t i = 0; i < at.x.size(); ++i) {
        if (std::isinf(rule.corner[i])) continue;
        const double gap = at.x[i] == 0 ? soften(at.gradient[i], rule.corner[i])
                                        : at.gradient[i] + std::copysign(rule.corner[i], at.x[i]);
        most = std::max(most, std::abs(gap));
    }
    return most;
}

// evaluate(x) -> Result<ProximalPoint>.
template <class Evaluate>
Result<ProximalOutcome> proximal_gradient(Evaluate&& evaluate, const ProximalRule& rule, ProximalPoint start) {
    ProximalOutcome out{std::move(start), 0, false};
    ProximalPoint ahead = out.at;
    const auto noise = [](double value) { return 1e-13 * std::max(1.0, std::abs(value)); };
    double before = out.at.value + corner_sum(rule, out.at.x), size = 0.25, pace = 1;
    for (; out.steps < rule.step_limit; ++out.steps) {
        std::optional<ProximalPoint> next;
        for (;; size *= 2) {
            std::vector<double> x = ahead.x;
            for (std::size_t i = 0; i < x.size(); ++i) {
                const double b = size * rule.bend[i];
                if (std::isfinite(rule.corner[i])) x[i] = soften(x[i] - ahead.gradient[i] / b, rule.corner[i] / b);
            }
            auto trial = evaluate(std::move(x));
            if (!trial) return trial.error();
            double bound = ahead.value;
            for (std::size_t i = 0; i < trial->x.size(); ++i) {
                const double s = trial->x[i] - ahead.x[i];
                bound += s * (ahead.gradient[i] + size * rule.bend[i] / 2 * s);
            }
            if (trial->value > bound + noise(bound) && size < 1e12) continue;
            next = std::move(*trial);
            break;
        }
        const double after = next->value + corner_sum(rule, next->x);
        if (after > before + noise(before)) {
            if (pace == 1) {  // a plain step cannot rise but by rounding
                out.converged = true;
                return out;
            }
            ahead = out.at;
            pace = 1;
            continue;
        }
        const double faster = (1 + std::sqrt(1 + 4 * pace * pace)) / 2, carry = (pace - 1) / faster;
        const bool settled = pace == 1 && before - after <= rule.least_fall;
        pace = faster;
        std::vector<double> x = next->x;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += carry * (next->x[i] - out.at.x[i]);
        out.at = std::move(*next);
        before = after;
        out.converged = settled || largest_violation(rule, out.at) <= rule.violation;
        if (out.converged) return out;
        if (carry == 0) {
            ahead = out.at;
            continue;
        }
        auto moved = evaluate(std::move(x));
        if (!moved) return moved.error();
        ahead = std::move(*moved);
    }
    return out;
}

}  // namespace suffice
