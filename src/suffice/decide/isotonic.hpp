// Isotonic calibration: the best non-decreasing curve of each class's posterior, by pooling adjacent violators; one
// class against the rest, then normalised. Zadrozny, Elkan, KDD 2002.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/decide/calibration_rows.hpp"

namespace suffice {

// Linear between its knots and flat outside of them, as scikit-learn's IsotonicRegression(out_of_bounds="clip").
struct IsotonicCurve {
    std::vector<double> x, y;
    static constexpr auto fields = FieldTuple{field("x", &IsotonicCurve::x), field("y", &IsotonicCurve::y)};
    bool operator==(const IsotonicCurve&) const = default;
    double at(double value) const;
};
struct WeightedPoint {
    double x = 0, y = 0, weight = 0;
};
IsotonicCurve fit_isotonic(std::vector<WeightedPoint> points);

struct IsotonicCalibration {
    static constexpr std::string_view name = "isotonic";
    std::vector<IsotonicCurve> curves;  // by class; the identity where the class has no rows
    static constexpr auto fields = FieldTuple{field("curves", &IsotonicCalibration::curves)};
    bool operator==(const IsotonicCalibration&) const = default;

    static IsotonicCalibration fit(const CalibrationRows& rows);
    void apply(std::span<double> posteriors) const;  // never to zero exactly, so that logarithms stay finite
    bool valid(std::size_t class_count) const;
};

}  // namespace suffice
