// The low-dimensional view of a linear discriminant: coordinates in which its classes lie farthest apart.
#pragma once
#include "suffice/estimate/reduced_rank.hpp"
#include "suffice/model/classifier.hpp"

namespace suffice {

// Of all ranks, whatever rank the model scores with. Refused where the classes do not share one full covariance.
Result<DiscriminantCoordinates> discriminant_coordinates(const Classifier& model);

// Rows x coordinates, as scikit-learn's transform; a row with a missing value has missing coordinates.
Result<Matrix> transform(const Classifier& model, const Block& rows);

}  // namespace suffice
