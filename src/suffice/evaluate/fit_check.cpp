// Compares values with a density.
#include "suffice/evaluate/fit_check.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/evaluate/histogram.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_quantiles = 60;

// The distribution function at the points, from zero (or the first probability) to one.
std::vector<double> cumulated(std::span<const double> at, std::span<const double> density, bool whole) {
    std::vector<double> share(at.size());
    double sum = 0;
    for (std::size_t k = 0; k < at.size(); ++k) {
        const double here = std::isfinite(density[k]) ? density[k] : 0;
        if (whole) {
            sum += here;
        } else if (k > 0) {
            const double before = std::isfinite(density[k - 1]) ? density[k - 1] : 0;
            sum += (at[k] - at[k - 1]) * (here + before) / 2;
        }
        share[k] = sum;
    }
    if (sum > 0)
        for (double& each : share) each /= sum;
    return share;
}

// y at x on the line through the ascending points (x_k, y_k).
double interpolated(std::span<const double> x, std::span<const double> y, double value) {
    const auto above = static_cast<std::size_t>(std::ranges::lower_bound(x, value) - x.begin());
    if (above == 0) return y.front();
    if (above == x.size()) return y.back();
    const double step = x[above] - x[above - 1];
    return step > 0 ? y[above - 1] + (value - x[above - 1]) / step * (y[above] - y[above - 1]) : y[above];
}

}  // namespace

FitCheck check_fit(std::vector<double> values, std::span<const double> at, std::span<const double> density,
                   bool whole) {
    std::erase_if(values, [](double x) { return !std::isfinite(x); });
    std::ranges::sort(values);
    FitCheck check;
    check.rows = values.size();
    if (values.empty() || at.size() < 2) return check;
    const double root = std::sqrt(static_cast<double>(values.size()));
    check.critical = 0.895 / (root - 0.01 + 0.85 / root);
    const auto share = cumulated(at, density, whole);
    const auto n = static_cast<double>(values.size());
    const auto gap = [&](double seen, double fitted) {
        check.distance = std::max(check.distance, std::abs(seen - fitted));
    };
    if (whole) {  // both functions are steps, which differ most at a whole number, be it seen or not
        for (std::size_t k = 0; k < at.size(); ++k)
            gap(static_cast<double>(std::ranges::upper_bound(values, at[k]) - values.begin()) / n, share[k]);
    } else {
        for (std::size_t k = 0; k < values.size(); ++k) {
            const double fitted = interpolated(at, share, values[k]);
            gap(static_cast<double>(k) / n, fitted);
            gap(static_cast<double>(k + 1) / n, fitted);
        }
    }
    const std::size_t count = std::min(most_quantiles, values.size());
    for (std::size_t k = 0; k < count; ++k) {
        const double p = (static_cast<double>(k) + 0.5) / static_cast<double>(count);
        const auto found = static_cast<std::size_t>(std::ranges::lower_bound(share, p) - share.begin());
        const double expected = whole ? at[std::min(found, at.size() - 1)] : interpolated(share, at, p);
        const double place = p * n - 0.5;  // so that the quantiles of all n values are the values themselves
        check.quantiles.push_back(
            {expected, sorted_quantile(values, values.size() > 1 ? std::clamp(place / (n - 1), 0.0, 1.0) : 0)});
    }
    return check;
}

}  // namespace suffice
