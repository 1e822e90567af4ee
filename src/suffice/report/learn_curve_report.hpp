// Learning curves in words, for programs and as a picture.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "suffice/report/figure.hpp"

namespace suffice {

// Squared distance of posteriors from the truth, summed over classes: of their mean over draws, and around that mean.
struct SquaredParts {
    double bias = 0, variance = 0;
};

struct CurvePoint {
    std::string model;
    std::size_t rows = 0;  // learned from
    double error = 0, error_se = 0, log_loss = 0, log_loss_se = 0;
    double parameters = 0;                     // of the fitted models, on average
    std::optional<SquaredParts> squared = {};  // of a stated model
};

struct LearnCurve {
    std::vector<std::string> models;
    std::vector<std::size_t> sizes;
    std::vector<CurvePoint> points;  // by size, then in the order of the models
    std::size_t repeats = 0;
    // Of a stated model: the least error and log loss there are.
    std::optional<double> bayes_error = {}, bayes_log_loss = {};

    const CurvePoint& at(std::size_t size, std::size_t model) const { return points[size * models.size() + model]; }
};

std::string learn_curve_text(const LearnCurve& curve);
std::string learn_curve_json(const LearnCurve& curve);
Figure learn_curve_figure(const LearnCurve& curve);

}  // namespace suffice
