// Densities without a form, as class-conditionals: from the points of each class to scorers. Kernels around the points,
// histograms, or the volume that reaches the k nearest; jointly or column by column.
#pragma once
#include <string>
#include <vector>

#include "suffice/base/matrix.hpp"
#include "suffice/base/result.hpp"
#include "suffice/estimate/settings.hpp"
#include "suffice/score/scorer.hpp"

namespace suffice {

// The points of one class: a row each, no holes.
struct ClassPoints {
    Matrix points;
    std::vector<double> weight;
};

// `columns`: which columns of a block the points stand for; `classes`: names, for notes.
Result<Estimated> estimate_points(const std::vector<ClassPoints>& by_class, const std::vector<std::uint32_t>& columns,
                                  const std::vector<std::string>& classes, const Settings& settings);

}  // namespace suffice
