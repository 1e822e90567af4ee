// Places edges and finds bins.
#include "suffice/density/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "suffice/density/bayesian_blocks.hpp"
#include "suffice/density/density_settings.hpp"
#include "suffice/density/weighted_quantile.hpp"

namespace suffice {

std::pair<double, double> around(double value) {
    constexpr double largest = std::numeric_limits<double>::max();
    return {std::min(value - 0.5, std::nextafter(value, -largest)),
            std::max(value + 0.5, std::nextafter(value, largest))};
}

std::vector<double> histogram_edges(std::span<const double> values, std::span<const double> weight,
                                    std::uint32_t bins) {
    if (bins == Bins::blocks) return bayesian_blocks(values, weight);
    constexpr double most_bins = 10'000;
    const auto sorted = sorted_by_value(values, weight);
    if (sorted.empty()) return {0, 1};
    double low = sorted.front().first, high = sorted.back().first;
    if (!(high > low)) std::tie(low, high) = around(low);
    double count = bins;
    if (bins == 0) {
        const double total = std::accumulate(sorted.begin(), sorted.end(), 0.0,
                                             [](double sum, const auto& each) { return sum + each.second; });
        const double middle = weighted_quantile(sorted, 0.75) - weighted_quantile(sorted, 0.25);
        const double width = 2 * middle / std::cbrt(total);
        // Half of the values alike: Sturges' rule, which needs no spread.
        count = width > 0 ? std::ceil((high - low) / width) : std::ceil(std::log2(total) + 1);
    }
    count = count >= 1 ? std::min(count, most_bins) : 1;  // no number where the range is beyond all
    std::vector<double> edges;
    for (double k = 0; k < count; ++k) {
        const double edge =
            std::isfinite(high - low) ? low + (high - low) * (k / count) : std::lerp(low, high, k / count);
        if (edges.empty() || edge > edges.back()) edges.push_back(edge);  // bins may be narrower than numbers are apart
    }
    if (high > edges.back()) edges.push_back(high);
    return edges;
}

std::ptrdiff_t bin_of(std::span<const double> edges, double x) {
    if (!(x >= edges.front() && x <= edges.back())) return -1;
    const auto above = std::ranges::upper_bound(edges, x);
    return std::min<std::ptrdiff_t>(above - edges.begin(), static_cast<std::ptrdiff_t>(edges.size()) - 1) - 1;
}

}  // namespace suffice
