// Places edges and finds bins.
#include "suffice/density/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/density/bayesian_blocks.hpp"
#include "suffice/density/density_settings.hpp"
#include "suffice/density/weighted_quantile.hpp"

namespace suffice {
std::vector<double> histogram_edges(std::span<const double> values, std::span<const double> weight,
                                    std::uint32_t bins) {
    if (bins == Bins::blocks) return bayesian_blocks(values, weight);
    constexpr double most_bins = 10'000;
    const auto sorted = sorted_by_value(values, weight);
    if (sorted.empty()) return {0, 1};
    double low = sorted.front().first, high = sorted.back().first;
    if (!(high > low)) {  // as NumPy: half a unit on either side
        low -= 0.5;
        high += 0.5;
    }
    double count = bins;
    if (bins == 0) {
        const double total = std::accumulate(sorted.begin(), sorted.end(), 0.0,
                                             [](double sum, const auto& each) { return sum + each.second; });
        const double middle = weighted_quantile(sorted, 0.75) - weighted_quantile(sorted, 0.25);
        const double width = 2 * middle / std::cbrt(total);
        // Half of the values alike: Sturges' rule, which needs no spread.
        count = width > 0 ? std::ceil((high - low) / width) : std::ceil(std::log2(total) + 1);
    }
    count = std::clamp(count, 1.0, most_bins);
    std::vector<double> edges;
    for (double k = 0; k < count; ++k) edges.push_back(low + (high - low) * (k / count));
    edges.push_back(high);
    return edges;
}

std::ptrdiff_t bin_of(std::span<const double> edges, double x) {
    if (!(x >= edges.front() && x <= edges.back())) return -1;
    const auto above = std::ranges::upper_bound(edges, x);
    return std::min<std::ptrdiff_t>(above - edges.begin(), static_cast<std::ptrdiff_t>(edges.size()) - 1) - 1;
}

}  // namespace suffice
