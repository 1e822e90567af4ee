// Samplers of the continuous distributions; the discrete ones are in sampling_counts.cpp.
#include "suffice/math/sampling.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/base/limits.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/math/sigmoid.hpp"

namespace suffice {
namespace {

// Marsaglia, Tsang, "A simple method for generating gamma variables", 2000; shape >= 1.
double large_gamma(double shape, Rng& rng) {
    const double d = shape - 1.0 / 3;
    const double c = 1 / std::sqrt(9 * d);
    for (;;) {
        const double x = sample_normal(rng);
        const double root = 1 + c * x;
        if (root <= 0) continue;
        const double v = root * root * root;
        if (std::log(rng.uniform_open()) < 0.5 * x * x + d * (1 - v + std::log(v))) return d * v;
    }
}

bool is_shape(double shape) { return shape > 0 && shape < infinity; }

}  // namespace

double sample_normal(Rng& rng) { return inverse_probit(rng.uniform_open()); }

double sample_exponential(Rng& rng) { return -std::log(rng.uniform_open()); }

double sample_gamma(double shape, Rng& rng) {
    if (!is_shape(shape)) return not_a_number;
    return shape >= 1 ? large_gamma(shape, rng) : std::exp(sample_log_gamma(shape, rng));
}

// Below shape 1: Gamma(shape) = Gamma(shape + 1) U^(1/shape), whose second factor underflows unless kept as a
// logarithm.
double sample_log_gamma(double shape, Rng& rng) {
    if (!is_shape(shape)) return not_a_number;
    if (shape >= 1) return std::log(large_gamma(shape, rng));
    const double above = std::log(large_gamma(shape + 1, rng));
    return above - sample_exponential(rng) / shape;
}

double sample_chi_square(double degrees, Rng& rng) { return 2 * sample_gamma(degrees / 2, rng); }

double sample_beta(double a, double b, Rng& rng) {
    const double first = sample_log_gamma(a, rng);
    const double second = sample_log_gamma(b, rng);
    return sigmoid(first - second);
}

double sample_student_t(double degrees, Rng& rng) {
    const double above = sample_normal(rng);
    return above / std::sqrt(sample_chi_square(degrees, rng) / degrees);
}

void sample_dirichlet(std::span<const double> concentration, std::span<double> out, Rng& rng) {
    std::ranges::transform(concentration, out.begin(), [&](double shape) { return sample_log_gamma(shape, rng); });
    softmax(out);
}

}  // namespace suffice
