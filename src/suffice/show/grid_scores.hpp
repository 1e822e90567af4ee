// What a model says at the places of a picture.
#pragma once
#include "suffice/show/report_rows.hpp"

namespace suffice {

struct PlaceScores {
    std::vector<double> log_density;  // log p(x | class), place by place
    std::vector<double> log_joint;
    std::vector<double> posterior;  // what predict answers there
};
Result<PlaceScores> score_places(const Predictor& model, const Matrix& places);

// What columns that are not drawn are held at: missing, so that they are integrated out; without densities the mean of
// a column of numbers and the most frequent level of another.
std::vector<double> held_columns(const Predictor& model, const SeenRows& rows);
// A sentence about that; `shown` columns are drawn.
std::string other_columns(const Predictor& model, std::size_t shown);

}  // namespace suffice
