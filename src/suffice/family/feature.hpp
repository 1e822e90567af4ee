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

// Log densities that are peak - power log(1 + (u - mean)^2 / variance): Student's t.
struct StudentBell {
    double mean = 0, variance = 1, peak = 0, power = 1;
    bool of_logarithm = false;
};

}  // namespace suffice
