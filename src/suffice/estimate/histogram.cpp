// Places edges and finds bins.
#include "suffice/estimate/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace suffice {
namespace {

// Interpolated between the middles of the steps of the weighted distribution; equal weights: NumPy's linear rule.
double quantile(const std::vector<std::pair<double, double>>& sorted, double total, double share) {
    const double target = share * (total - sorted.back().second);
    double before = 0;
    for (std::size_t at = 0; at + 1 < sorted.size(); ++at) {
        const double step = sorted[at].second;
        if (target <= before + step) {
            const double part = step > 0 ? (target - before) / step : 0;
            return sorted[at].first + part * (sorted[at + 1].first - sorted[at].first);
        }
        before += step;
    }
    return sorted.back().first;
}

}  // namespace

std::vector<double> histogram_edges(std::span<const double> values, std::span<const double> weight,
                                    std::uint32_t bins) {
    constexpr double most_bins = 10'000;
    std::vector<std::pair<double, double>> sorted;
    for (std::size_t at = 0; at < values.size(); ++at)
        if (weight[at] > 0) sorted.emplace_back(values[at], weight[at]);
    if (sorted.empty()) return {0, 1};
    std::ranges::sort(sorted);
    double low = sorted.front().first, high = sorted.back().first;
    if (!(high > low)) {  // as NumPy: half a unit on either side
        low -= 0.5;
        high += 0.5;
    }
    double count = bins;
    if (bins == 0) {
        const double total = std::accumulate(sorted.begin(), sorted.end(), 0.0,
                                             [](double sum, const auto& each) { return sum + each.second; });
        const double middle = quantile(sorted, total, 0.75) - quantile(sorted, total, 0.25);
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
