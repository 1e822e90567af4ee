// Discriminant coordinates: the directions in which class means differ most, measured by the covariance they share.
//
//   S = L L'; rows sqrt(p_c) L^-1 (m_c - m) = U diag(v) V';  coordinate r of x = (L^-T V_r) . (x - m)
//
// Of all subspaces of r dimensions theirs holds most of the spread of the means (Hastie, Tibshirani, Friedman 2009,
// sec. 4.3.3). Within a class coordinates are uncorrelated with variance one.
#pragma once
#include "suffice/score/gaussian_classes.hpp"

namespace suffice {

struct DiscriminantCoordinates {
    std::vector<double> centre;                // d: mean of the class means, weighted by the priors
    std::vector<std::vector<double>> scaling;  // by coordinate: d
    std::vector<double> explained;             // by coordinate: its share of the spread of the means

    std::size_t count() const { return scaling.size(); }
    std::vector<double> of_row(std::span<const double> x) const;
};

// `parameters` has one full covariance for all classes. At most one coordinate fewer than classes; the largest entry of
// each scaling is positive.
DiscriminantCoordinates discriminant_coordinates(const GaussianClasses& parameters, std::span<const double> log_prior);

// Moves the class means into the span of the first coordinates. Scores then differ between classes by what these tell
// and by nothing else, so this is the discriminant of reduced rank.
void reduce_rank(GaussianClasses& parameters, const DiscriminantCoordinates& coordinates, std::size_t rank);

}  // namespace suffice
