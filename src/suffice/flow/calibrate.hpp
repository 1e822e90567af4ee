// The calibration of a model on files it was not trained on.
#pragma once
#include "suffice/flow/predict.hpp"

namespace suffice {

struct Calibrated {
    Model model;
    std::vector<CalibrationScore> scores;            // cross-validated log losses, where the method was chosen
    double log_loss_before = 0, log_loss_after = 0;  // on the same rows
    double error_before = 0, error_after = 0;        // calibration error, 15 bins
    double rows = 0;
    std::vector<std::string> notes;
};

// `method`: a name of calibration_names(), or "auto": the one of the smallest cross-validated log loss. A calibration
// that the model has already is replaced.
Result<Calibrated> calibrate(const Model& model, const std::vector<std::string>& files, std::string_view method,
                             const ApplyOptions& options, const Context& context = {});

}  // namespace suffice
