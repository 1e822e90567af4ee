// Temperature scaling: p'(c | x) is proportional to p(c | x)^(1/T). Guo, Pleiss, Sun, Weinberger, ICML 2017.
#pragma once
#include <span>
#include <string_view>

#include "suffice/base/fields.hpp"
#include "suffice/decide/calibration_rows.hpp"

namespace suffice {

// T > 1 softens posteriors that are too sure of themselves, as naive Bayes gives them; the prediction never changes.
struct TemperatureScaling {
    static constexpr std::string_view name = "temperature";
    double temperature = 1;  // in [0.001, 1000]
    static constexpr auto fields = FieldTuple{field("temperature", &TemperatureScaling::temperature)};
    bool operator==(const TemperatureScaling&) const = default;

    static TemperatureScaling fit(const CalibrationRows& rows);  // smallest log loss
    void apply(std::span<double> posteriors) const;              // one row
    bool valid(std::size_t class_count) const;
};

}  // namespace suffice
