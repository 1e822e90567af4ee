// Which models' criteria mean the same.
#pragma once
#include <optional>

#include "suffice/model/predictor.hpp"
#include "suffice/model/recipe.hpp"

namespace suffice {

// Whether the model's log-likelihood is that of rows and classes together, near its maximum: BIC compares such models
// only. Regressions have that of classes given rows; densities made of the rows themselves are never tried on others;
// what is shrunken, or rests on a floor, is not near its maximum.
bool joint_likelihood(const Predictor& model, const Settings& settings);

// log p(rows, classes) with all parameters integrated out, where every column has a conjugate prior: those of
// `--estimate predictive`, and of the classes' shares Dirichlet(1).
std::optional<double> log_evidence(const ModelStatistic& statistic, const Settings& settings);

}  // namespace suffice
