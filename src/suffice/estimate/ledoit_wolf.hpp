// How far to shrink a covariance toward a multiple of the identity: Ledoit and Wolf (2004), as scikit-learn has it.
//
//   beta = (sum of |z|^4 / n - |S|^2) / (d n),  delta = |S - mu I|^2 / d,  mu = trace S / d;  intensity = beta / delta
#pragma once
#include "suffice/estimate/gaussians.hpp"

namespace suffice {

// `square`: sums of products of squared columns around the mean, d x d, or the one sum of |z|^4 where the columns are
// taken raw. Standardized: as if each column were divided by its deviation.
double ledoit_wolf_intensity(const ClassMoments& moments, std::span<const double> square, bool standardized);

// Variances of the columns within the class; one for a column that is constant but for rounding.
std::vector<double> standard_scales(const ClassMoments& moments);

}  // namespace suffice
