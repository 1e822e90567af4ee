// Draws from the usual distributions, in our own code: the standard library's draws differ between platforms.
// Counts are whole numbers held in a double, so that no rate overflows them. Parameters outside of the allowed range
// give NaN.
#pragma once
#include <cstddef>
#include <span>
#include <utility>

#include "suffice/base/random.hpp"

namespace suffice {

double sample_normal(Rng& rng);       // mean 0, variance 1; one word of the generator
double sample_exponential(Rng& rng);  // rate 1; one word of the generator

double sample_gamma(double shape, Rng& rng);      // rate 1
double sample_log_gamma(double shape, Rng& rng);  // the logarithm of such a draw, which stays finite for a tiny shape
double sample_chi_square(double degrees, Rng& rng);
double sample_beta(double a, double b, Rng& rng);
double sample_student_t(double degrees, Rng& rng);

double sample_poisson(double rate, Rng& rng);
double sample_binomial(double trials, double probability, Rng& rng);  // successes
double sample_geometric(double probability, Rng& rng);                // failures before the first success: 0, 1, ...
double sample_negative_binomial(double r, double probability,
                                Rng& rng);  // failures before success r, a real number > 0

// A point of the simplex; `concentration` and `out` have one length.
void sample_dirichlet(std::span<const double> concentration, std::span<double> out, Rng& rng);

// A position with probability proportional to its weight; weights.size() where no weight is positive.
std::size_t sample_index(std::span<const double> weights, Rng& rng);

// A random order, each equally likely (Fisher-Yates); std::shuffle differs between platforms.
template <class T>
void shuffle(std::span<T> items, Rng& rng) {
    for (std::size_t left = items.size(); left > 1; --left) {
        using std::swap;
        swap(items[left - 1], items[rng.below(left)]);
    }
}

}  // namespace suffice
