// Where centres start: rows drawn at random, or spread out by greedy k-means++.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/group/k_means.hpp"
#include "suffice/kernel/scores.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

constexpr std::size_t start_tile_rows = 256;

// Squared distances of all points to a few of them: |x|^2 - 2 (c.x - |c|^2 / 2), never below zero.
class Distances {
public:
    explicit Distances(const Matrix& points) : points_(points), square_(points.row_count), zero_(points.column_count) {
        for (double& z : zero_) z = 0;
        for (std::size_t row = 0; row < points.row_count; ++row)
            for (double v : points.row(row)) square_[row] += v * v;
    }
    // `out`: of each candidate all points, one candidate after the other.
    void to(const std::vector<std::size_t>& candidates, std::vector<double>& out) const {
        const std::size_t n = points_.row_count, d = points_.column_count, count = candidates.size();
        std::vector<double> centre, bias, joint(count * start_tile_rows);
        for (const std::size_t row : candidates) {
            centre.insert(centre.end(), points_.row(row).begin(), points_.row(row).end());
            bias.push_back(-square_[row] / 2);
        }
        out.resize(count * n);
        for (std::size_t first = 0; first < n; first += start_tile_rows) {
            const std::size_t rows = std::min(start_tile_rows, n - first);
            std::ranges::fill(joint, 0.0);
            const kernel::Tile tile{joint.data(), rows, count, start_tile_rows};
            kernel::affine_scores({points_.values.data() + first * d, rows, d, static_cast<std::ptrdiff_t>(d)},
                                  zero_.data(), centre.data(), bias.data(), tile);
            for (std::size_t c = 0; c < count; ++c)
                for (std::size_t row = 0; row < rows; ++row)
                    out[c * n + first + row] = std::max(square_[first + row] - 2 * tile.of_class(c)[row], 0.0);
        }
    }

private:
    const Matrix& points_;
    std::vector<double> square_, zero_;
};

// The points less their mean, so that the expansion of a distance keeps its digits.
Matrix centred(const Matrix& points) {
    Matrix near = points;
    std::vector<double> mean(points.column_count);
    for (std::size_t at = 0; at < near.values.size(); ++at)
        mean[at % mean.size()] += near.values[at] / static_cast<double>(points.row_count);
    for (std::size_t at = 0; at < near.values.size(); ++at) near.values[at] -= mean[at % mean.size()];
    return near;
}

}  // namespace

std::vector<std::size_t> random_rows(const std::vector<double>& weight, std::size_t count, Rng& rng) {
    // Efraimidis and Spirakis (2006): the largest of u^(1/w) are a weighted sample without replacement.
    std::vector<double> key(weight.size());
    for (std::size_t row = 0; row < key.size(); ++row) key[row] = sample_exponential(rng) / weight[row];
    std::vector<std::size_t> order(weight.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    count = std::min(count, order.size());
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), {},
                              [&](std::size_t row) { return key[row]; });
    order.resize(count);
    return order;
}

std::vector<std::size_t> spread_rows(const Matrix& points, const std::vector<double>& weight, std::size_t count,
                                     Rng& rng) {
    const std::size_t n = points.row_count;
    const Matrix near = centred(points);
    const Distances distances(near);
    const auto draws = 2 + static_cast<std::size_t>(std::log(static_cast<double>(count)));
    std::vector<std::size_t> chosen{sample_index(weight, rng)};
    std::vector<double> closest, trial, reached(n);
    distances.to(chosen, closest);
    while (chosen.size() < count) {
        double total = 0;
        for (std::size_t row = 0; row < n; ++row) reached[row] = total += weight[row] * closest[row];
        if (!(total > 0)) break;
        std::vector<std::size_t> candidates;
        for (std::size_t t = 0; t < draws; ++t) {
            const auto found = std::ranges::upper_bound(reached, rng.uniform() * total);
            candidates.push_back(static_cast<std::size_t>(std::min(found, reached.end() - 1) - reached.begin()));
        }
        distances.to(candidates, trial);
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t t = 0; t < draws; ++t) {
            double cost = 0;
            for (std::size_t row = 0; row < n; ++row) cost += weight[row] * std::min(closest[row], trial[t * n + row]);
            if (cost < least) {
                least = cost;
                best = t;
            }
        }
        for (std::size_t row = 0; row < n; ++row) closest[row] = std::min(closest[row], trial[best * n + row]);
        chosen.push_back(candidates[best]);
    }
    return chosen;
}

}  // namespace suffice
