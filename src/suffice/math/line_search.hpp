// Armijo's rule: of full, half, quarter, ... steps the first that lowers the objective enough.
#pragma once
#include <cmath>

#include "suffice/base/result.hpp"

namespace suffice {

struct Descent {
    double value = 0;     // of the objective before the step
    double promised = 0;  // by how much a full step lowers it to first order
    double noise = 0;     // how far its values are rounded
    double shortest = 1e-10;
};

// attempt(length) -> Result<double> is the objective after that share of the step; one that is not finite lies outside
// of the domain. False: no step lowers it. The last attempt is the one that did.
template <class Attempt>
Result<bool> halve_until_it_falls(const Descent& descent, Attempt&& attempt) {
    constexpr double enough = 1e-4;  // of what was promised
    for (double length = 1; length > descent.shortest; length /= 2) {
        const Result<double> value = attempt(length);
        if (!value) return value.error();
        if (std::isfinite(*value) && *value <= descent.value - enough * length * descent.promised + descent.noise)
            return true;
    }
    return false;
}

}  // namespace suffice
