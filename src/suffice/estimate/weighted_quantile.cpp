// Sorts and interpolates.
#include "suffice/estimate/weighted_quantile.hpp"

#include <algorithm>

namespace suffice {

std::vector<std::pair<double, double>> sorted_by_value(std::span<const double> values, std::span<const double> weight) {
    std::vector<std::pair<double, double>> sorted;
    for (std::size_t at = 0; at < values.size(); ++at)
        if (weight[at] > 0) sorted.emplace_back(values[at], weight[at]);
    std::ranges::sort(sorted);
    return sorted;
}

double weighted_quantile(const std::vector<std::pair<double, double>>& sorted, double share) {
    double total = 0;
    for (const auto& [value, weight] : sorted) total += weight;
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

}  // namespace suffice
