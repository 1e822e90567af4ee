// Finds the best last block of every beginning of the values, one value after the other.
#include "suffice/density/bayesian_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/density/histogram.hpp"
#include "suffice/density/weighted_quantile.hpp"

namespace suffice {
namespace {

// Around each value, or a few neighbours taken together, up to half way to the next.
struct ValueCells {
    std::vector<double> edge, weight;
    double values = 0;  // different ones
};

ValueCells cells_of(const std::vector<std::pair<double, double>>& sorted) {
    constexpr std::size_t most = 4096;
    std::vector<std::pair<double, double>> different;
    for (const auto& [value, weight] : sorted) {
        if (different.empty() || different.back().first != value) different.emplace_back(value, 0.0);
        different.back().second += weight;
    }
    const std::size_t n = different.size(), count = std::min(n, most);
    ValueCells made{{different.front().first}, {}, static_cast<double>(n)};
    for (std::size_t cell = 0; cell < count; ++cell) {
        const std::size_t begin = cell * n / count, end = (cell + 1) * n / count;
        double weight = 0;
        for (std::size_t at = begin; at < end; ++at) weight += different[at].second;
        made.weight.push_back(weight);
        made.edge.push_back(end < n ? std::midpoint(different[end - 1].first, different[end].first)
                                    : different.back().first);
    }
    return made;
}

}  // namespace

std::vector<double> bayesian_blocks(std::span<const double> values, std::span<const double> weight) {
    const auto sorted = sorted_by_value(values, weight);
    if (sorted.empty()) return {0, 1};
    if (!(sorted.back().first > sorted.front().first)) {
        const auto [low, high] = around(sorted[0].first);
        return {low, high};
    }
    const ValueCells cells = cells_of(sorted);
    const std::size_t n = cells.weight.size();
    const double price = 4 - std::log(73.53 * 0.05 * std::pow(cells.values, -0.478));
    std::vector<double> best(n);
    std::vector<std::size_t> begin(n);  // of the last block of the first so many cells
    // Beginnings that may still be the best: one that lost by the price of a block never wins again, since two blocks
    // fit at least as well as one. Killick, Fearnhead and Eckley (2012).
    std::vector<std::size_t> open, kept;
    std::vector<double> held(n), gain;  // held: weight from each beginning to the cell at hand
    for (std::size_t end = 0; end < n; ++end) {
        open.push_back(end);
        gain.clear();
        best[end] = -std::numeric_limits<double>::infinity();
        for (const std::size_t first : open) {
            held[first] += cells.weight[end];
            const double width = std::max(cells.edge[end + 1] - cells.edge[first], std::numeric_limits<double>::min());
            const double fit = held[first] * std::log(held[first] / width);
            gain.push_back((first == 0 ? 0.0 : best[first - 1]) + fit);
            if (gain.back() - price > best[end]) {
                best[end] = gain.back() - price;
                begin[end] = first;
            }
        }
        kept.clear();
        for (std::size_t at = 0; at < open.size(); ++at)
            if (gain[at] > best[end]) kept.push_back(open[at]);
        open.swap(kept);
    }
    std::vector<double> edges{cells.edge[n]};
    for (std::size_t end = n; end > 0; end = begin[end - 1]) edges.push_back(cells.edge[begin[end - 1]]);
    std::ranges::reverse(edges);
    edges.erase(std::ranges::unique(edges).begin(), edges.end());
    return edges;
}

}  // namespace suffice
