// Confidence intervals of a proportion.
#pragma once
#include "suffice/base/interval.hpp"

namespace suffice {

// Wilson's score interval (1927) of a proportion seen `hits` times in `trials` > 0: within [0, 1] and not empty at 0
// or 1.
//   (p + z^2/2n +- z sqrt(p (1 - p)/n + z^2/4n^2)) / (1 + z^2/n)
Interval wilson_interval(double hits, double trials, double level = 0.95);

}  // namespace suffice
