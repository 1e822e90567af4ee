// Mixtures of Gaussians from what a pass over rows has gathered, and what they were fitted under.
#pragma once
#include "suffice/group/gaussian_mixture.hpp"
#include "suffice/group/gaussian_pass.hpp"

namespace suffice {

// The model that an M-step makes of gathered moments: priors and added variance come on top. Weights are of rows.
Result<Classifier> gaussian_mixture_of(const Schema& schema, const ComponentMoments& moments,
                                       const GaussianMixtureSettings& settings);
ComponentShape shape_of(const ModelState& state);

// GaussianMixtureSettings::default_prior, from the rows looked at.
GaussianPrior default_gaussian_prior(const RowSample& sample, std::size_t components, ComponentShape shape);

}  // namespace suffice
