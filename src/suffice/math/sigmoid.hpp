// The logistic sigmoid and the probit with their derivatives and inverses, accurate and finite at the extremes; float
// and double.
#pragma once
#include <cmath>
#include <concepts>
#include <limits>
#include <numbers>

namespace suffice {

// sigma(a) = 1 / (1 + exp(-a)), in two branches so that exp never overflows.
template <std::floating_point T>
T sigmoid(T a) {
    if (a >= 0) return 1 / (1 + std::exp(-a));
    const T e = std::exp(a);
    return e / (1 + e);
}

// sigma'(a) = sigma(a) sigma(-a); sigma (1 - sigma) would be 0 as soon as sigma rounds to 1 (in float from a = 24 log 2
// on).
template <std::floating_point T>
T sigmoid_derivative(T a) {
    return sigmoid(a) * sigmoid(-a);
}

// sigma''(a) = sigma'(a) (1 - 2 sigma(a)), where 1 - 2 sigma(a) = -tanh(a/2) keeps its digits near 0.
template <std::floating_point T>
T sigmoid_second_derivative(T a) {
    return -sigmoid_derivative(a) * std::tanh(a / 2);
}

// log(1 + exp(a)).
template <std::floating_point T>
T log1p_exp(T a) {
    return (a > 0 ? a : T{0}) + std::log1p(std::exp(-std::abs(a)));
}

template <std::floating_point T>
T log_sigmoid(T a) {
    return -log1p_exp(-a);
}

// log(p / (1 - p)), the inverse of sigma. Around one half 2p - 1 is exact.
template <std::floating_point T>
T logit(T p) {
    if (p > T(0.25) && p < T(0.75)) return std::log1p((2 * p - 1) / (1 - p));
    return std::log(p / (1 - p));
}

// 1 / (p (1 - p)): infinite at 0 and at 1, NaN outside of [0, 1].
template <std::floating_point T>
T logit_derivative(T p) {
    return p >= 0 && p <= 1 ? 1 / (p * (1 - p)) : std::numeric_limits<T>::quiet_NaN();
}

// Phi(a), the distribution function of the standard normal.
template <std::floating_point T>
T probit(T a) {
    return static_cast<T>(std::erfc(-static_cast<double>(a) / std::numbers::sqrt2) / 2);
}

// The inverse of Phi: -inf at 0, inf at 1, NaN outside of [0, 1]. Wichura's AS 241 (1988), relative error about 1e-16.
double inverse_probit(double p);
inline float inverse_probit(float p) { return static_cast<float>(inverse_probit(static_cast<double>(p))); }

// Phi(lambda a) with lambda^2 = pi/8: the probit whose slope at 0 is that of sigma.
template <std::floating_point T>
T scaled_probit(T a) {
    constexpr double lambda = 0.62665706865775012560;
    return static_cast<T>(probit(lambda * static_cast<double>(a)));
}

}  // namespace suffice
