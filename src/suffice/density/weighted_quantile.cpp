// Sorts and interpolates.
#include "suffice/density/weighted_quantile.hpp"

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
    const double target = share * std::max(total - std::min(sorted.back().second, 1.0), 0.0);
    double before = 0;
    for (std::size_t at = 0; at + 1 < sorted.size(); ++at) {
        const double end = before + sorted[at].second, last_copy = std::max(end - 1, before);
        if (target <= last_copy) return sorted[at].first;
        if (target <= end)
            return sorted[at].first +
                   (target - last_copy) / (end - last_copy) * (sorted[at + 1].first - sorted[at].first);
        before = end;
    }
    return sorted.back().first;
}

}  // namespace suffice
