// Pool adjacent violators in one sweep over the sorted points.
#include "suffice/decide/isotonic.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace suffice {

double IsotonicCurve::at(double value) const {
    const auto above = std::upper_bound(x.begin(), x.end(), value);
    if (above == x.begin()) return y.front();
    if (above == x.end()) return y.back();
    const auto next = static_cast<std::size_t>(above - x.begin());
    const double share = (value - x[next - 1]) / (x[next] - x[next - 1]);
    return y[next - 1] + share * (y[next] - y[next - 1]);
}

IsotonicCurve fit_isotonic(std::vector<WeightedPoint> points) {
    struct Pool {
        double first, last, sum, weight;
        double mean() const { return sum / weight; }
    };
    std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
    std::vector<Pool> pools;
    for (std::size_t first = 0, next = 0; first < points.size(); first = next) {
        Pool pool{points[first].x, points[first].x, 0, 0};
        for (; next < points.size() && points[next].x == points[first].x; ++next) {
            pool.sum += points[next].weight * points[next].y;
            pool.weight += points[next].weight;
        }
        while (!pools.empty() && pools.back().mean() >= pool.mean()) {
            pool.first = pools.back().first;
            pool.sum += pools.back().sum;
            pool.weight += pools.back().weight;
            pools.pop_back();
        }
        pools.push_back(pool);
    }
    IsotonicCurve curve;
    for (const Pool& pool : pools) {
        curve.x.push_back(pool.first);
        curve.y.push_back(pool.mean());
        if (pool.last > pool.first) {
            curve.x.push_back(pool.last);
            curve.y.push_back(pool.mean());
        }
    }
    return curve;
}

IsotonicCalibration IsotonicCalibration::fit(const CalibrationRows& rows) {
    IsotonicCalibration result;
    for (std::size_t code = 0; code < rows.class_count; ++code) {
        if (!(rows.weight_of(code) > 0)) {
            result.curves.push_back({{0, 1}, {0, 1}});
            continue;
        }
        std::vector<WeightedPoint> points;
        for (std::size_t row = 0; row < rows.row_count(); ++row) {
            const bool positive = static_cast<std::size_t>(rows.truths[row]) == code;
            points.push_back({rows.row(row)[code], positive ? 1.0 : 0.0, rows.weights[row]});
        }
        result.curves.push_back(fit_isotonic(std::move(points)));
    }
    return result;
}

void IsotonicCalibration::apply(std::span<double> posteriors) const {
    double sum = 0;
    for (std::size_t code = 0; code < posteriors.size(); ++code) {
        posteriors[code] = std::max(curves[code].at(posteriors[code]), std::numeric_limits<double>::min());
        sum += posteriors[code];
    }
    for (double& posterior : posteriors) posterior = std::max(posterior / sum, std::numeric_limits<double>::min());
}

bool IsotonicCalibration::valid(std::size_t class_count) const {
    return curves.size() == class_count && std::all_of(curves.begin(), curves.end(), [](const IsotonicCurve& curve) {
               const auto inside = [](double value) { return value >= 0 && value <= 1 + 1e-4; };
               return !curve.x.empty() && curve.x.size() == curve.y.size() &&
                      std::adjacent_find(curve.x.begin(), curve.x.end(), std::greater_equal<>()) == curve.x.end() &&
                      std::is_sorted(curve.y.begin(), curve.y.end()) &&
                      std::all_of(curve.x.begin(), curve.x.end(), inside) &&
                      std::all_of(curve.y.begin(), curve.y.end(), inside);
           });
}

}  // namespace suffice
