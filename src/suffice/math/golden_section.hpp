// The largest value of a function with one peak, without slopes: golden sections of a bracket (Kiefer, 1953).
#pragma once
#include <numbers>

#include "suffice/base/result.hpp"

namespace suffice {

// The middle of a bracket no wider than `apart` around the peak of gain(x) -> Result<double> between low and high.
template <class Gain>
Result<double> golden_section(Gain&& gain, double low, double high, double apart) {
    constexpr double share = std::numbers::phi - 1;
    double left = high - share * (high - low), right = low + share * (high - low);
    Result<double> at_left = gain(left), at_right = gain(right);
    while (at_left && at_right && high - low > apart) {
        if (*at_left >= *at_right) {
            high = right, right = left, at_right = at_left;
            left = high - share * (high - low);
            at_left = gain(left);
        } else {
            low = left, left = right, at_left = at_right;
            right = low + share * (high - low);
            at_right = gain(right);
        }
    }
    if (!at_left) return at_left;
    if (!at_right) return at_right;
    return (low + high) / 2;
}

}  // namespace suffice
