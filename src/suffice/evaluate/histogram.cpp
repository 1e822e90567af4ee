// Bins values.
#include "suffice/evaluate/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace suffice {

double sorted_quantile(std::span<const double> sorted, double share) {
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    if (below + 1 >= sorted.size()) return sorted.back();
    return sorted[below] + (at - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

double Histogram::class_rows(std::size_t class_code) const {
    return std::accumulate(by_class[class_code].begin(), by_class[class_code].end(), 0.0);
}

double Histogram::density(std::size_t class_code, std::size_t bin) const {
    const double rows = class_rows(class_code);
    return rows > 0 ? by_class[class_code][bin] / (rows * width) : 0;
}

Histogram class_histogram(std::span<const double> values, std::span<const std::int32_t> label, std::size_t class_count,
                          std::size_t most) {
    std::vector<std::vector<double>> sorted(class_count);
    double low = INFINITY, high = -INFINITY;
    bool whole = true;
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (!std::isfinite(values[row]) || label[row] < 0) continue;
        sorted[static_cast<std::size_t>(label[row])].push_back(values[row]);
        low = std::min(low, values[row]);
        high = std::max(high, values[row]);
        whole = whole && values[row] == std::floor(values[row]);
    }
    Histogram made;
    made.by_class.resize(class_count);
    if (!(high >= low)) return made;
    std::vector<double> widths;
    for (auto& each : sorted) {
        if (each.size() < 2) continue;
        std::ranges::sort(each);
        const double spread = sorted_quantile(each, 0.75) - sorted_quantile(each, 0.25);
        if (spread > 0) widths.push_back(2 * spread / std::cbrt(static_cast<double>(each.size())));
    }
    std::ranges::sort(widths);
    const double least = (high - low) / static_cast<double>(most);
    double width = std::max(least, widths.empty() ? (high - low) / 10 : sorted_quantile(widths, 0.5));
    width = std::min(width, (high - low) / 6);
    made.whole = whole;
    if (whole) {
        made.width = std::max(1.0, std::ceil(width - 0.5));
        made.low = low - 0.5;
    } else {
        made.width = high > low ? width : 1;
        made.low = high > low ? low : low - 0.5;
    }
    const auto bins = static_cast<std::size_t>(std::floor((high - made.low) / made.width * (1 - 1e-12))) + 1;
    for (std::size_t c = 0; c < class_count; ++c) {
        made.by_class[c].resize(bins);
        for (const double value : sorted[c])
            ++made.by_class[c][std::min(bins - 1, static_cast<std::size_t>((value - made.low) / made.width))];
    }
    return made;
}

}  // namespace suffice
