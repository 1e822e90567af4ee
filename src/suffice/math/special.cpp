// Special functions: libm's reentrant lgamma, Boost.Math behind policies that never throw, and a log beta that does not
// cancel.
#define BOOST_DISABLE_ASSERTS  // the library never aborts; what Boost cannot compute comes out as NaN
#include "suffice/math/special.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <math.h>
#include <numbers>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include "suffice/base/limits.hpp"
#include "suffice/math/sigmoid.hpp"

namespace suffice {
namespace {

namespace policies = boost::math::policies;
using Quiet =
    policies::policy<policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
                     policies::overflow_error<policies::ignore_error>,
                     policies::underflow_error<policies::ignore_error>, policies::denorm_error<policies::ignore_error>,
                     policies::rounding_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>,
                     policies::indeterminate_result_error<policies::ignore_error>, policies::promote_double<false>>;

using StudentT = boost::math::students_t_distribution<double, Quiet>;

constexpr double smallest_shape = 1e-15;  // beyond these Boost is wrong or does not return
constexpr double largest_shape = 1e15;
constexpr double half_log_two_pi = 0.91893853320467274178;

// Boost throws in a few corners whatever the policy (Newton's bounds in the wrong order in ibeta_inv).
template <class Function>
double quietly(Function function) {
    try {
        return function();
    } catch (const std::exception&) {
        return not_a_number;
    }
}

bool is_probability(double p) { return p >= 0 && p <= 1; }
bool is_plain_shape(double x) { return x >= smallest_shape && x <= largest_shape; }

// Stirling's series of log Gamma(x) - (x - 1/2) log x + x - 1/2 log 2 pi for x >= 10; its error is below 1e-16.
double stirling_series(double x) {
    const double square = 1 / (x * x);
    constexpr std::array<double, 7> terms = {1.0 / 12,   -1.0 / 360,        1.0 / 1260, -1.0 / 1680,
                                             1.0 / 1188, -691.0 / 360360.0, 1.0 / 156};
    double sum = 0;
    for (std::size_t i = terms.size(); i-- > 0;) sum = sum * square + terms[i];
    return sum / x;
}

}  // namespace

double log_gamma(double x) {
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

double digamma(double x) {
    if (x == infinity) return infinity;
    if (!std::isfinite(x) || (x <= 0 && x == std::floor(x))) return not_a_number;
    return boost::math::digamma(x, Quiet());
}

double trigamma(double x) {
    if (x == infinity) return 0;
    if (!std::isfinite(x) || (x <= 0 && x == std::floor(x))) return not_a_number;
    if (x > 0 && x < 1e-8) return 1 / (x * x) + std::numbers::pi * std::numbers::pi / 6;
    return boost::math::trigamma(x, Quiet());
}

double log_factorial(std::uint64_t n) {
    static const std::array<double, 256> table = [] {
        std::array<double, 256> values{};
        for (std::size_t i = 2; i < values.size(); ++i) values[i] = log_gamma(static_cast<double>(i) + 1);
        return values;
    }();
    return n < table.size() ? table[n] : log_gamma(static_cast<double>(n) + 1);
}

double log_beta(double a, double b) {
    const double p = std::min(a, b);
    const double q = std::max(a, b);
    if (!(p >= 0)) return not_a_number;
    if (p == 0) return infinity;
    if (q == infinity) return -infinity;
    const double share = p / (p + q);
    if (p >= 10) {
        const double correction = stirling_series(p) + stirling_series(q) - stirling_series(p + q);
        return -0.5 * std::log(q) + half_log_two_pi + correction + (p - 0.5) * std::log(share) + q * std::log1p(-share);
    }
    if (q >= 10) {
        const double correction = stirling_series(q) - stirling_series(p + q);
        return log_gamma(p) + correction + p - p * std::log(p + q) + (q - 0.5) * std::log1p(-share);
    }
    if (p < 1e-300) return log_gamma(p) + (log_gamma(q) - log_gamma(p + q));
    return std::log(std::tgamma(p) * (std::tgamma(q) / std::tgamma(p + q)));
}

double stirling_correction(double x) {
    if (x >= 10) return stirling_series(x);
    return log_gamma(x + 1) - (x + 0.5) * std::log(x) + x - half_log_two_pi;
}

double poisson_deviance(double x, double mean) {
    if (x == 0) return mean;
    const double difference = x - mean;
    if (std::abs(difference) >= 0.1 * (x + mean)) return x * std::log(x / mean) - difference;
    const double ratio = difference / (x + mean);
    const double square = ratio * ratio;
    double sum = difference * ratio;
    double power = 2 * x * ratio;
    for (int term = 3;; term += 2) {
        power *= square;
        const double longer = sum + power / term;
        if (!(longer != sum)) return sum;
        sum = longer;
    }
}

double multivariate_log_gamma(std::size_t dimension, double x) {
    const double d = static_cast<double>(dimension);
    if (!(x > (d - 1) / 2)) return not_a_number;
    double sum = d * (d - 1) / 4 * std::log(std::numbers::pi);
    for (std::size_t j = 0; j < dimension; ++j) sum += log_gamma(x - static_cast<double>(j) / 2);
    return sum;
}

double incomplete_beta(double a, double b, double x) {
    if (!is_plain_shape(a) || !is_plain_shape(b) || !is_probability(x)) return not_a_number;
    return quietly([&] { return boost::math::ibeta(a, b, x, Quiet()); });
}

double incomplete_beta_complement(double a, double b, double x) {
    if (!is_plain_shape(a) || !is_plain_shape(b) || !is_probability(x)) return not_a_number;
    return quietly([&] { return boost::math::ibetac(a, b, x, Quiet()); });
}

double incomplete_gamma(double shape, double x) {
    if (!is_plain_shape(shape) || !(x >= 0)) return not_a_number;
    return x == infinity ? 1 : quietly([&] { return boost::math::gamma_p(shape, x, Quiet()); });
}

double incomplete_gamma_complement(double shape, double x) {
    if (!is_plain_shape(shape) || !(x >= 0)) return not_a_number;
    return x == infinity ? 0 : quietly([&] { return boost::math::gamma_q(shape, x, Quiet()); });
}

double student_t_cdf(double degrees, double x) {
    if (!(degrees >= smallest_shape) || std::isnan(x)) return not_a_number;
    if (std::isinf(x)) return x < 0 ? 0 : 1;
    if (degrees > largest_shape) return probit(x);
    return quietly([&] { return boost::math::cdf(StudentT(degrees), x); });
}

double beta_quantile(double a, double b, double p) {
    if (!is_plain_shape(a) || !is_plain_shape(b) || !is_probability(p)) return not_a_number;
    return quietly([&] { return boost::math::ibeta_inv(a, b, p, Quiet()); });
}

double gamma_quantile(double shape, double p) {
    if (!is_plain_shape(shape) || !is_probability(p)) return not_a_number;
    return p == 1 ? infinity : quietly([&] { return boost::math::gamma_p_inv(shape, p, Quiet()); });
}

double student_t_quantile(double degrees, double p) {
    if (!(degrees >= smallest_shape) || !is_probability(p)) return not_a_number;
    if (p == 0 || p == 1) return p == 0 ? -infinity : infinity;
    if (degrees > largest_shape) return normal_quantile(p);
    return quietly([&] { return boost::math::quantile(StudentT(degrees), p); });
}

double normal_quantile(double p) { return inverse_probit(p); }

}  // namespace suffice
