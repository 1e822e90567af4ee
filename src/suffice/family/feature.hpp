// What the features T(x) of a column's family are, by name: so that scores can be written down for other programs.
#pragma once
#include <array>
#include <cstdint>

namespace suffice {

enum class Feature : std::uint8_t { value, logarithm, log_complement };  // x, log x, log(1 - x)

// Log densities that are -(u - mean)^2 / (2 variance) and a constant, with u = x or log x.
struct Bell {
    double mean = 0, variance = 1;
    bool of_logarithm = false;
};

// Log densities that are peak - power log(1 + (u - mean)^2 / variance): Student's t. Power 0: the Gaussian peak - (u -
// mean)^2 / (2 variance), to which it goes.
struct StudentBell {
    double mean = 0, variance = 1, peak = 0, power = 1;
    bool of_logarithm = false;
};

// Log densities that are, but for what all classes share, constant + slope x + a sum of weight log Gamma(base + x) /
// Gamma(base), or of weight log(1 + x / base) where they are of logarithms. Weight 0: no term.
struct PredictiveRise {
    struct Term {
        double base = 1, weight = 0;
    };
    double constant = 0, slope = 0;
    std::array<Term, 2> terms = {};
    bool of_logarithm = false;
};

}  // namespace suffice
