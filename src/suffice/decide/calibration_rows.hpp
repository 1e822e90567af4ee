// What the calibrations share: rows of known label, one class's log odds against the rest, and a small logistic fit on
// them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "suffice/base/result.hpp"
#include "suffice/evaluate/posterior_rows.hpp"

namespace suffice {

// A copy without rows of unknown label or weight zero.
struct CalibrationRows {
    std::size_t class_count = 0;
    std::vector<double> posteriors, weights;
    std::vector<std::int32_t> truths;

    std::size_t row_count() const { return truths.size(); }
    std::span<const double> row(std::size_t index) const {
        return std::span(posteriors).subspan(index * class_count, class_count);
    }
    void add(std::span<const double> row_posteriors, std::int32_t truth, double weight);
    double weight_of(std::size_t class_code) const;
};

// Refuses where fewer than two classes occur: nothing can be learnt from them.
Result<CalibrationRows> calibration_rows(const PosteriorRows& rows);

double log_positive(double probability);  // log of it or of the smallest normal double: never infinite

// log p and log (1 - p), the latter from the sum of the other classes, which keeps its digits where p is next to one.
struct LogPair {
    double log_own = 0, log_rest = 0;
};
LogPair log_pair(std::span<const double> posteriors, std::size_t class_code);

// Platt's (1999) targets, which keep the fit finite on separable rows: (N+ + 1)/(N+ + 2) for the class and 1/(N- + 2)
// for others.
std::vector<double> smoothed_targets(const CalibrationRows& rows, std::size_t class_code);

// The beta that minimises sum of w (log(1 + exp(s)) - t s), s = <beta, features>; features are rows x width.
struct SigmoidFit {
    std::vector<double> coefficients;
    double loss = 0;
};
SigmoidFit fit_logistic(std::span<const double> features, std::size_t width, std::span<const double> targets,
                        std::span<const double> weights);

}  // namespace suffice
