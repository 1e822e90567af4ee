// k-means as a model that scores rows: a spherical Gaussian of one variance around each centre, all equally probable,
// so that the most probable class is the nearest centre.
#pragma once
#include "suffice/group/k_means.hpp"
#include "suffice/model/classifier.hpp"

namespace suffice {

// Centres are numbered in their order. The variance is that of the rows around their centres.
Result<Classifier> classifier_of_centres(const std::vector<std::string>& columns, const Matrix& centres, double inertia,
                                         double row_weight);

}  // namespace suffice
