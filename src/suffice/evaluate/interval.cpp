// Wilson's interval, kept from leaving [0, 1] by rounding.
#include "suffice/evaluate/interval.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/math/special.hpp"

namespace suffice {

Interval wilson_interval(double hits, double trials, double level) {
    const double z = normal_quantile(0.5 + level / 2), square = z * z / trials, share = hits / trials;
    const double centre = share + square / 2;
    const double reach = z * std::sqrt(share * (1 - share) / trials + square / (4 * trials));
    const double low = hits == 0 ? 0 : (centre - reach) / (1 + square);
    const double high = hits == trials ? 1 : (centre + reach) / (1 + square);
    return {std::clamp(low, 0.0, 1.0), std::clamp(high, 0.0, 1.0)};
}

}  // namespace suffice
