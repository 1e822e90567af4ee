// Samplers of counts and of positions: inversion where the mean is small, transformed rejection where it is large.
// Hoermann, "The transformed rejection method for generating Poisson random variables" and "The generation of binomial
// random variates", 1993; log probabilities in Loader's form, so that no mean is too large.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "suffice/base/limits.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"

namespace suffice {
namespace {

constexpr double smallest_rejection_mean = 10;

double log_poisson_mass(double k, double rate) {
    if (k == 0) return -rate;
    return -stirling_correction(k) - poisson_deviance(k, rate) - 0.5 * std::log(2 * std::numbers::pi * k);
}

double log_binomial_mass(double k, double trials, double p) {
    if (k == 0) return trials * std::log1p(-p);
    if (k == trials) return trials * std::log(p);
    const double rest = trials - k;
    return stirling_correction(trials) - stirling_correction(k) - stirling_correction(rest) -
           poisson_deviance(k, trials * p) - poisson_deviance(rest, trials * (1 - p)) -
           0.5 * std::log(2 * std::numbers::pi * k * (rest / trials));
}

// Walks up from 0 with mass(k) = mass(k - 1) ratio(k). Where rounding leaves the last of a uniform unspent, begins
// again.
template <class Ratio>
double invert(double mass_at_zero, Ratio ratio, Rng& rng) {
    for (;;) {
        double left = rng.uniform();
        double mass = mass_at_zero;
        for (double k = 0; mass > 0;) {
            if (left < mass) return k;
            left -= mass;
            k += 1;
            mass *= ratio(k);
        }
    }
}

double reject_poisson(double rate, Rng& rng) {
    const double b = 0.931 + 2.53 * std::sqrt(rate);
    const double a = -0.059 + 0.02483 * b;
    const double log_inverse_alpha = std::log(1.1239 + 1.1328 / (b - 3.4));
    const double sure = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = rng.uniform_open() - 0.5;
        const double v = rng.uniform_open();
        const double margin = 0.5 - std::abs(u);
        const double k = std::floor((2 * a / margin + b) * u + rate + 0.43);
        if (margin >= 0.07 && v <= sure) return k;
        if (k < 0 || (margin < 0.013 && v > margin)) continue;
        if (std::log(v) + log_inverse_alpha - std::log(a / (margin * margin) + b) <= log_poisson_mass(k, rate))
            return k;
    }
}

double reject_binomial(double trials, double p, Rng& rng) {
    const double deviation = std::sqrt(trials * p * (1 - p));
    const double b = 1.15 + 2.53 * deviation;
    const double a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double alpha = (2.83 + 5.1 / b) * deviation;
    const double sure = 0.92 - 4.2 / b;
    const double log_mode_mass = log_binomial_mass(std::floor((trials + 1) * p), trials, p);
    for (;;) {
        const double u = rng.uniform_open() - 0.5;
        const double v = rng.uniform_open();
        const double margin = 0.5 - std::abs(u);
        const double k = std::floor((2 * a / margin + b) * u + trials * p + 0.5);
        if (k < 0 || k > trials) continue;
        if (margin >= 0.07 && v <= sure) return k;
        if (std::log(v * alpha / (a / (margin * margin) + b)) <= log_binomial_mass(k, trials, p) - log_mode_mass)
            return k;
    }
}

bool is_chance(double p) { return p >= 0 && p <= 1; }

}  // namespace

double sample_poisson(double rate, Rng& rng) {
    if (!(rate >= 0) || rate == infinity) return not_a_number;
    if (rate >= smallest_rejection_mean) return reject_poisson(rate, rng);
    return invert(std::exp(-rate), [=](double k) { return rate / k; }, rng);
}

double sample_binomial(double trials, double probability, Rng& rng) {
    if (!(trials >= 0) || trials == infinity || trials != std::floor(trials) || !is_chance(probability))
        return not_a_number;
    if (probability > 0.5) return trials - sample_binomial(trials, 1 - probability, rng);
    if (trials * probability >= smallest_rejection_mean) return reject_binomial(trials, probability, rng);
    const double odds = probability / (1 - probability);
    return invert(
        std::exp(trials * std::log1p(-probability)), [=](double k) { return (trials - k + 1) / k * odds; }, rng);
}

double sample_geometric(double probability, Rng& rng) {
    if (!(probability > 0 && probability <= 1)) return not_a_number;
    return std::floor(sample_exponential(rng) / -std::log1p(-probability));
}

// A Poisson count whose rate is gamma distributed.
double sample_negative_binomial(double r, double probability, Rng& rng) {
    if (!(probability > 0 && probability <= 1)) return not_a_number;
    return sample_poisson(sample_gamma(r, rng) * ((1 - probability) / probability), rng);
}

std::size_t sample_index(std::span<const double> weights, Rng& rng) {
    double total = 0;
    for (const double weight : weights) total += std::max(weight, 0.0);
    double left = rng.uniform() * total;
    std::size_t last = weights.size();
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (!(weights[i] > 0)) continue;
        if (left < weights[i]) return i;
        left -= weights[i];
        last = i;
    }
    return last;
}

}  // namespace suffice
