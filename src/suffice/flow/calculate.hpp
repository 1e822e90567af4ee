// The small functions of the field, and what a distribution comes to, asked for in words such as "sigmoid(-2, 0, 2)",
// "poisson(rate=2)" or "gaussian_vector(mean=[0, 1], covariance=[[1, 0], [0, 2]])".
#pragma once
#include <string>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/base/result.hpp"
#include "suffice/report/calculation.hpp"

namespace suffice {

// A function of numbers takes one term. A family takes one for its parameter, and others for what is done with it:
// another parameter of the same family (how far it is from the first), dispersion(s), and of gaussian_vector
// affine(matrix, offset, noise, cross), marginal(columns) and conditional(columns, values), one after the other;
// columns count from 1.
Result<Calculation> calculate(const std::vector<std::string>& terms, const Context& context = {});

}  // namespace suffice
