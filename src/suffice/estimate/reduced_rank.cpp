// Finds discriminant coordinates, and restricts class means to them.
#include "suffice/estimate/reduced_rank.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/kernel/linear_algebra.hpp"
#include "suffice/math/cholesky.hpp"

namespace suffice {
namespace {

// A direction in which the means differ by less than this share of the widest is rounding.
constexpr double negligible_spread = 1e-12;

}  // namespace

std::vector<double> DiscriminantCoordinates::of_row(std::span<const double> x) const {
    std::vector<double> at;
    for (const auto& direction : scaling) {
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) sum += direction[i] * (x[i] - centre[i]);
        at.push_back(sum);
    }
    return at;
}

DiscriminantCoordinates discriminant_coordinates(const GaussianClasses& p, std::span<const double> log_prior) {
    const std::size_t d = p.dimension, k = p.class_count(), most = std::min(k, d);
    DiscriminantCoordinates found;
    found.centre.assign(d, 0.0);
    for (std::size_t c = 0; c < k; ++c)
        for (std::size_t i = 0; i < d; ++i) found.centre[i] += std::exp(log_prior[c]) * p.mean[c][i];
    std::vector<double> rows;
    for (std::size_t c = 0; c < k; ++c) {
        std::vector<double> way(d);
        for (std::size_t i = 0; i < d; ++i) way[i] = p.mean[c][i] - found.centre[i];
        solve_lower(p.shape[0], way);
        for (double each : way) rows.push_back(std::exp(0.5 * log_prior[c]) * each);
    }
    std::vector<double> u(k * most), values(most), directions(most * d);
    if (!kernel::singular_values(rows, k, d, u, values, directions)) return found;
    double total = 0;
    for (double v : values) total += v * v;
    for (std::size_t r = 0; r < std::min(k - 1, d); ++r) {
        if (!(values[r] > negligible_spread * values[0])) break;
        std::vector<double> direction(directions.begin() + static_cast<std::ptrdiff_t>(r * d),
                                      directions.begin() + static_cast<std::ptrdiff_t>((r + 1) * d));
        solve_upper(p.shape[0], direction);
        const auto largest = std::ranges::max_element(direction, {}, [](double each) { return std::abs(each); });
        if (*largest < 0)
            for (double& each : direction) each = -each;
        found.scaling.push_back(std::move(direction));
        found.explained.push_back(values[r] * values[r] / total);
    }
    return found;
}

void reduce_rank(GaussianClasses& p, const DiscriminantCoordinates& coordinates, std::size_t rank) {
    if (rank >= coordinates.count()) return;
    const std::size_t d = p.dimension;
    const auto covariance = p.covariance(0);
    for (auto& mean : p.mean) {
        const auto at = coordinates.of_row(mean);
        mean = coordinates.centre;
        for (std::size_t r = 0; r < rank; ++r)
            for (std::size_t i = 0; i < d; ++i)
                for (std::size_t j = 0; j < d; ++j)
                    mean[i] += at[r] * covariance[i * d + j] * coordinates.scaling[r][j];
    }
}

}  // namespace suffice
