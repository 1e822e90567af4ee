// The stages behind a model, fitted on files it was not trained on: calibration, thresholds, usual log evidences.
#pragma once
#include "suffice/decide/thresholds.hpp"
#include "suffice/flow/predict.hpp"

namespace suffice {

struct CalibrateOptions {
    // A name of calibration_names(), or "auto": the one of the smallest cross-validated log loss.
    std::string method = "auto";
    std::vector<ThresholdGoal> goals = {};  // on the calibrated posteriors; at most one for a class
    bool novelty = false;                   // keep which log evidences are usual
    ApplyOptions apply = {};
};

struct Calibrated {
    Model model;
    std::vector<CalibrationScore> scores;          // cross-validated log losses, where the method was chosen
    double log_loss_before = 0, error_before = 0;  // calibration error: of 15 bins
    // Of the same rows, each by a calibration that was fitted without it; none where there are too few.
    Defined log_loss_after, error_after;
    std::vector<ThresholdChoice> thresholds;  // of the goals, in their order, as reached on these rows
    double rows = 0;
    std::vector<Note> notes;
};

// Stages that the model has already are replaced.
Result<Calibrated> calibrate(const Model& model, const Data& data, const CalibrateOptions& options,
                             const Context& context = {});

// The log evidence below which a share of the rows of these files lies.
Result<double> novelty_below(const Model& model, const Data& data, double share, const ApplyOptions& options,
                             const Context& context = {});

}  // namespace suffice
