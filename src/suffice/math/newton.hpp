// Newton's method with safeguards: a bracketed root in one dimension, a minimum with step halving in several.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "suffice/math/cholesky.hpp"
#include "suffice/math/line_search.hpp"

namespace suffice {

struct ValueAndSlope {
    double value = 0;
    double slope = 0;
};

struct NewtonSettings {
    double tolerance = 1e-14;  // of a step, relative to x
    int max_iterations = 200;
};

struct Root {
    double x = 0;
    int iterations = 0;
    bool converged = false;
};

// The x in (low, high) with f(x) = 0, for a monotone f: x -> ValueAndSlope; its direction is that of its slope at the
// start. Ends may be infinite and need not be evaluable. A step that leaves the bracket is replaced by a bisection, or
// by a doubling where the bracket has no end yet.
template <class F>
Root find_root(F&& f, double low, double high, double start, NewtonSettings settings = {}) {
    Root root{start};
    double direction = 0;
    for (; root.iterations < settings.max_iterations; ++root.iterations) {
        const ValueAndSlope at = f(root.x);
        if (at.value == 0) {
            root.converged = true;
            return root;
        }
        if (direction == 0) direction = at.slope < 0 ? -1 : 1;
        if (!(at.value == at.value)) return root;
        const bool root_is_above = at.value * direction < 0;
        (root_is_above ? low : high) = root.x;
        double next = root.x - at.value / at.slope;
        if (!(next > low && next < high)) {
            const double end = root_is_above ? high : low;
            const double leap = std::max(1.0, std::abs(root.x));
            next = !std::isinf(end) ? root.x + (end - root.x) / 2 : root_is_above ? root.x + leap : root.x - leap;
        }
        const double step = next - root.x;
        root.x = next;
        if (std::abs(step) <= settings.tolerance * std::abs(next)) {
            root.converged = true;
            return root;
        }
    }
    return root;
}

// The same without slopes: halves [low, high], at whose ends f has different signs.
template <class F>
double find_root_between(F&& f, double low, double high, NewtonSettings settings = {}) {
    const bool rises = f(low) < 0;
    for (int step = 0; step < settings.max_iterations && high - low > settings.tolerance * std::abs(high); ++step) {
        const double middle = (low + high) / 2;
        ((f(middle) < 0) == rises ? low : high) = middle;
    }
    return (low + high) / 2;
}

struct Minimum {
    double value = 0;
    int iterations = 0;
    bool converged = false;
};

// A minimum of f, from the start in `x`, which is replaced by it. f(x, gradient, hessian) -> value fills the gradient
// (d) and the lower triangle of the Hessian (d x d, row-major); a value that is not finite marks a point outside of the
// domain. Where the Hessian is not positive definite a multiple of the identity is added; a step is halved until the
// value falls.
template <class F>
Minimum minimize(F&& f, std::span<double> x, NewtonSettings settings = {}) {
    const std::size_t d = x.size();
    std::vector<double> gradient(d), hessian(d * d), factor(d * d), step(d), trial(d);
    Minimum result;
    double previous_decrement = std::numeric_limits<double>::infinity();
    result.value = f(std::span<const double>(x), std::span<double>(gradient), std::span<double>(hessian));
    if (!std::isfinite(result.value)) return result;
    for (; result.iterations < settings.max_iterations; ++result.iterations) {
        double largest = 0;
        for (std::size_t i = 0; i < d; ++i) largest = std::max(largest, std::abs(hessian[i * d + i]));
        for (double ridge = 0;; ridge = std::max(10 * ridge, 1e-10 * std::max(largest, 1e-300))) {
            if (!std::isfinite(ridge)) return result;
            factor = hessian;
            for (std::size_t i = 0; i < d; ++i) factor[i * d + i] += ridge;
            if (factorize(factor, d)) break;
        }
        step = gradient;
        solve_factorized(factor, step);
        double decrement = 0;  // g' H^-1 g: twice the fall that the quadratic model promises
        for (std::size_t i = 0; i < d; ++i) decrement += gradient[i] * step[i];
        if (!std::isfinite(decrement)) return result;

        const double noise = 4 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(result.value));
        double value = 0;
        const auto attempt = [&](double length) -> Result<double> {
            for (std::size_t i = 0; i < d; ++i) trial[i] = x[i] - length * step[i];
            return value = f(std::span<const double>(trial), std::span<double>(gradient), std::span<double>(hessian));
        };
        const bool moved = *halve_until_it_falls({result.value, decrement, noise, 1e-12}, attempt);
        if (moved) result.value = value;
        const bool at_rounding = decrement <= 4 * noise;
        if (!moved) {
            result.converged = at_rounding;
            return result;
        }
        double relative_step = 0;
        for (std::size_t i = 0; i < d; ++i) {
            const double scale = std::max(std::abs(trial[i]), std::numeric_limits<double>::min());
            relative_step = std::max(relative_step, std::abs(trial[i] - x[i]) / scale);
            x[i] = trial[i];
        }
        if (relative_step <= settings.tolerance || (at_rounding && decrement >= previous_decrement / 4)) {
            result.converged = true;
            return result;
        }
        previous_decrement = decrement;
    }
    return result;
}

}  // namespace suffice
