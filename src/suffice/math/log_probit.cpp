// By erfc where that keeps its digits; far to the left by the asymptotic series of Mills' ratio.
#include "suffice/math/log_probit.hpp"

#include <cmath>
#include <numbers>

namespace suffice {
namespace {

constexpr double far = -30;
constexpr double log_root_two_pi = 0.91893853320467274178;

// log of the series 1 - 1/a^2 + 3/a^4 - 15/a^6 + ..., Phi(a) = phi(a) / |a| times it.
double log_series(double a) {
    const double t = 1 / (a * a);
    return std::log1p(-t * (1 - 3 * t * (1 - 5 * t * (1 - 7 * t * (1 - 9 * t * (1 - 11 * t))))));
}

}  // namespace

double log_probit(double a) {
    if (a < far) return -a * a / 2 - log_root_two_pi - std::log(-a) + log_series(a);
    if (a > 0) return std::log1p(-std::erfc(a / std::numbers::sqrt2) / 2);
    return std::log(std::erfc(-a / std::numbers::sqrt2) / 2);
}

double log_probit_slope(double a) {
    if (a < far) return -a * std::exp(-log_series(a));
    return std::exp(-a * a / 2 - log_root_two_pi - log_probit(a));
}

}  // namespace suffice
