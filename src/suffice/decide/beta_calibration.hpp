// Beta calibration: log odds a log p - b log(1 - p) + c with a, b >= 0. Kull, Silva Filho, Flach, AISTATS 2017; one
// class against the rest, then normalised.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/decide/calibration_rows.hpp"

namespace suffice {

// Contains the identity (a = b = 1, c = 0), which a class without rows keeps, and Platt's curve of a non-negative slope
// (a = b).
struct BetaCalibration {
    static constexpr std::string_view name = "beta";
    std::vector<double> a, b, c;  // by class
    static constexpr auto fields =
        FieldTuple{field("a", &BetaCalibration::a), field("b", &BetaCalibration::b), field("c", &BetaCalibration::c)};
    bool operator==(const BetaCalibration&) const = default;

    static BetaCalibration fit(const CalibrationRows& rows);
    void apply(std::span<double> posteriors) const;
    bool valid(std::size_t class_count) const;
};

}  // namespace suffice
