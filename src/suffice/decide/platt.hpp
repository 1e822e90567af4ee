// Platt scaling: a sigmoid of each class's log odds, then normalised. Platt 1999; one class against the rest.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/decide/calibration_rows.hpp"

namespace suffice {

// p'(c | x) is proportional to sigma(slope_c log(p / (1 - p)) + intercept_c). A class without rows keeps slope 1,
// intercept 0.
struct PlattScaling {
    static constexpr std::string_view name = "platt";
    std::vector<double> slope, intercept;  // by class
    static constexpr auto fields =
        FieldTuple{field("slope", &PlattScaling::slope), field("intercept", &PlattScaling::intercept)};
    bool operator==(const PlattScaling&) const = default;

    static PlattScaling fit(const CalibrationRows& rows);
    void apply(std::span<double> posteriors) const;
    bool valid(std::size_t class_count) const;
};

}  // namespace suffice
