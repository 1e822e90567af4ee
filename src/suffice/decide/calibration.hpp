// The stage after a model that makes its posteriors mean what they say: one of the calibrations, a small value that is
// saved.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "suffice/base/archive.hpp"
#include "suffice/base/fields.hpp"
#include "suffice/base/result.hpp"
#include "suffice/decide/beta_calibration.hpp"
#include "suffice/decide/isotonic.hpp"
#include "suffice/decide/platt.hpp"
#include "suffice/decide/temperature.hpp"

namespace suffice {

struct NoCalibration {
    static constexpr std::string_view name = "none";
    static constexpr auto fields = FieldTuple{};
    bool operator==(const NoCalibration&) const = default;

    static NoCalibration fit(const CalibrationRows&) { return {}; }
    void apply(std::span<double>) const {}
    bool valid(std::size_t) const { return true; }
};

// The one list: a new calibration is one file and one entry. From few parameters to many.
using CalibrationStage =
    std::variant<NoCalibration, TemperatureScaling, PlattScaling, BetaCalibration, IsotonicCalibration>;

class Calibration {
public:
    Calibration() = default;
    Calibration(std::size_t class_count, CalibrationStage stage)
        : class_count_(class_count), stage_(std::move(stage)) {}
    bool operator==(const Calibration&) const = default;

    std::string_view name() const;
    const CalibrationStage& stage() const { return stage_; }
    // Rows x classes, in place.
    Result<void> apply(std::span<double> posteriors, std::size_t class_count) const;

    void write(FieldSink& sink, std::string_view field_name) const;
    void read(FieldSource& source);

private:
    std::size_t class_count_ = 0;
    CalibrationStage stage_;
};

// The names that fit_calibration takes, in order.
std::vector<std::string_view> calibration_names();

// Fitted on rows the model was not trained on. Rows of unknown label are left out.
Result<Calibration> fit_calibration(std::string_view name, const PosteriorRows& rows);

struct CalibrationScore {
    std::string_view name;
    double log_loss = 0;  // cross-validated
};
struct CalibrationChoice {
    Calibration calibration;               // the best, fitted on all rows
    std::vector<CalibrationScore> scores;  // in the order of the list
};
// The one of smallest cross-validated log loss, of equal ones the first in the list. Row i of a class is in fold i mod
// folds.
Result<CalibrationChoice> choose_calibration(const PosteriorRows& rows, std::size_t folds = 5);

// The rows with each calibrated by what was fitted without its fold; "auto": and chosen without it. What can be
// expected of rows that the calibration has not seen.
Result<CalibrationRows> cross_calibrated(std::string_view name, const PosteriorRows& rows, std::size_t folds = 5);

}  // namespace suffice
