// What a picture is drawn from, as JSON: places and what the model says there, or the curves of an evaluation.
#pragma once
#include "suffice/evaluate/evaluation.hpp"
#include "suffice/report/plane_figures.hpp"
#include "suffice/show/line.hpp"
#include "suffice/show/plot.hpp"

namespace suffice {

std::string data_of(const LineView& view);
std::string data_of(const PlaneView& view, bool densities);  // does the model have them?
// Of the pictures that need rows.
std::string data_of(Plot what, const Evaluation& evaluation, const Scores& scores,
                    const std::vector<std::string>& classes);

}  // namespace suffice
