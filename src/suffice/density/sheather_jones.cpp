// Counts pairs of values by their distance, and solves for the bandwidth.
#include "suffice/density/sheather_jones.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "suffice/density/weighted_quantile.hpp"
#include "suffice/math/newton.hpp"

namespace suffice {
namespace {

constexpr std::size_t bin_count = 1000;

// What the estimates of derivatives need of the values; one of weight two is two of them.
struct PairCounts {
    double n = 0, width = 0;    // width: of a bin
    std::vector<double> count;  // by distance in bins: sum over pairs of w_i w_j

    // The mean over pairs of the r-th derivative of the normal density of scale h, r = 4 or 6.
    double derivative(int r, double h) const {
        double sum = 0;
        for (std::size_t at = 0; at < count.size(); ++at) {
            const double step = static_cast<double>(at) * width / h, x = step * step;
            if (x > 1000) break;
            const double polynomial = r == 4 ? (x - 6) * x + 3 : ((x - 15) * x + 45) * x - 15;
            sum += std::exp(-x / 2) * polynomial * count[at];
        }
        const double all = 2 * sum + n * (r == 4 ? 3 : -15);
        return all / (n * (n - 1) * std::pow(h, r + 1) * std::sqrt(2 * std::numbers::pi));
    }
};

PairCounts count_pairs(const std::vector<std::pair<double, double>>& sorted, double n) {
    PairCounts made{n, (sorted.back().first - sorted.front().first) * 1.01 / bin_count, {}};
    made.count.assign(bin_count, 0.0);
    std::vector<double> held(bin_count);
    const double first = std::trunc(sorted.front().first / made.width);
    for (const auto& [value, weight] : sorted) {
        const double place = std::trunc(value / made.width) - first;
        const auto bin = static_cast<std::size_t>(std::min(place, static_cast<double>(bin_count - 1)));
        held[bin] += weight;
    }
    for (std::size_t a = 0; a < bin_count; ++a) {
        if (!(held[a] > 0)) continue;
        made.count[0] += held[a] * std::max(held[a] - 1, 0.0) / 2;
        for (std::size_t b = 0; b < a; ++b) made.count[a - b] += held[a] * held[b];
    }
    return made;
}

}  // namespace

Result<double> sheather_jones_bandwidth(std::span<const double> values, std::span<const double> weight) {
    const auto sparse = Error("the values are too few or too much alike for the bandwidth of Sheather and Jones");
    const auto sorted = sorted_by_value(values, weight);
    double n = 0, mean = 0, scatter = 0;
    for (const auto& [value, w] : sorted) {
        n += w;
        const double way = value - mean;
        mean += way * w / n;
        scatter += w * way * (value - mean);
    }
    if (!(n > 1) || !(scatter > 0)) return sparse;
    const double deviation = std::sqrt(scatter / (n - 1));
    const double spread =
        std::min(deviation, (weighted_quantile(sorted, 0.75) - weighted_quantile(sorted, 0.25)) / 1.349);
    if (!(spread > 0)) return sparse;
    const PairCounts pairs = count_pairs(sorted, n);
    const double sixth = -pairs.derivative(6, 1.23 * spread * std::pow(n, -1.0 / 9));
    if (!(sixth > 0) || !std::isfinite(sixth)) return sparse;
    const double alpha = 1.357 * std::pow(pairs.derivative(4, 1.24 * spread * std::pow(n, -1.0 / 7)) / sixth, 1.0 / 7);
    if (!std::isfinite(alpha)) return sparse;
    const auto error = [&](double h) {
        const double fourth = pairs.derivative(4, alpha * std::pow(h, 5.0 / 7));
        return std::pow(1 / (2 * std::sqrt(std::numbers::pi) * n * fourth), 0.2) - h;
    };
    double high = 1.144 * spread * std::pow(n, -0.2), low = 0.1 * high;
    for (int widened = 1; !(error(low) * error(high) <= 0); ++widened) {
        if (widened > 99) return sparse;
        if (widened % 2 == 1)
            high *= 1.2;
        else
            low /= 1.2;
    }
    return find_root_between(error, low, high);
}

}  // namespace suffice
