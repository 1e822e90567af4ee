// Chooses which centre to move, and where to.
#include "suffice/group/k_means_swap.hpp"

#include <algorithm>
#include <numeric>

#include "suffice/kernel/nearest_two.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {

std::vector<Matrix> swapped_centres(const Matrix& points, const std::vector<double>& weight, const Matrix& centres,
                                    std::size_t count, Rng& rng) {
    const std::size_t n = points.row_count, d = points.column_count, k = centres.row_count;
    if (k < 2) return {};
    std::vector<double> origin(d);  // where the numbers are small
    for (std::size_t c = 0; c < k; ++c)
        for (std::size_t j = 0; j < d; ++j) origin[j] += centres(c, j) / static_cast<double>(k);
    std::vector<double> relative(centres.values);
    for (std::size_t at = 0; at < relative.size(); ++at) relative[at] -= origin[at % d];
    std::vector<std::int32_t> own(n);
    std::vector<double> near(n), next(n), cost(k), loss(k);
    kernel::nearest_two({points.values.data(), n, d, static_cast<std::ptrdiff_t>(d)}, origin.data(),
                        kernel::PackedCentres(relative.data(), k, d), own.data(), near.data(), next.data());
    for (std::size_t row = 0; row < n; ++row) {
        const auto c = static_cast<std::size_t>(own[row]);
        cost[c] += weight[row] * std::max(near[row], 0.0);
        loss[c] += weight[row] * (next[row] - near[row]);
    }
    const auto spared = static_cast<std::size_t>(std::ranges::min_element(loss) - loss.begin());
    std::vector<std::size_t> order(k);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase(order, spared);
    std::ranges::sort(order,
                      [&](std::size_t a, std::size_t b) { return cost[a] != cost[b] ? cost[a] > cost[b] : a < b; });
    order.resize(std::min(count, order.size()));
    std::vector<Matrix> made;
    std::vector<double> share(n);
    for (const std::size_t c : order) {
        if (!(cost[c] > 0)) break;
        for (std::size_t row = 0; row < n; ++row)
            share[row] = static_cast<std::size_t>(own[row]) == c ? weight[row] * std::max(near[row], 0.0) / cost[c] : 0;
        Matrix& swapped = made.emplace_back(centres);
        std::ranges::copy(points.row(sample_index(share, rng)), swapped.row(spared).begin());
    }
    return made;
}

}  // namespace suffice
