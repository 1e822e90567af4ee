// Ledoit-Wolf intensities from moments.
#include "suffice/estimate/ledoit_wolf.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace suffice {

std::vector<double> standard_scales(const ClassMoments& moments) {
    const std::size_t d = moments.mean.size();
    const double n = moments.weight, rounding = n * std::numeric_limits<double>::epsilon();
    std::vector<double> scale(d);
    for (std::size_t i = 0; i < d; ++i) {
        const double variance = moments.scatter[i * (d + 1)] / n, shaken = rounding * moments.mean[i];
        scale[i] = variance <= rounding * variance + shaken * shaken ? 1 : variance;
    }
    return scale;
}

double ledoit_wolf_intensity(const ClassMoments& moments, std::span<const double> square, bool standardized) {
    const std::size_t d = moments.mean.size();
    if (d == 1) return 0;
    const double n = moments.weight, columns = static_cast<double>(d);
    const auto scale = standardized ? standard_scales(moments) : std::vector<double>(d, 1.0);
    double trace = 0, squares = 0, fourth = 0;
    for (std::size_t i = 0; i < d; ++i) {
        trace += moments.scatter[i * (d + 1)] / (n * scale[i]);
        for (std::size_t j = 0; j < d; ++j) {
            const double s = moments.scatter[i * d + j] / n;
            squares += s * s / (scale[i] * scale[j]);
            if (square.size() == d * d) fourth += square[i * d + j] / (scale[i] * scale[j]);
        }
    }
    if (square.size() != d * d) fourth = square[0];
    const double mu = trace / columns;
    const double delta = (squares - 2 * mu * trace + columns * mu * mu) / columns;
    const double beta = std::min((fourth / n - squares) / (columns * n), delta);
    return beta == 0 ? 0 : beta / delta;
}

}  // namespace suffice
