// Logistic regression on rows with holes, by maximum likelihood: a missing value is integrated over a model of the
// columns, and what is maximised is the likelihood of what is there.
//
//     p(y, x_present) = integral p(y | x; beta) p(x; phi) dx_missing        (values missing at random)
//
// EM by weights: each row with holes stands for completed rows, weighted by how likely they are given its class and
// what is there; beta and phi are then estimated from weighted rows without holes. Ibrahim, "Incomplete data in
// generalized linear models", 1990; Jiang, Josse, Lavielle, "Logistic regression with missing covariates", 2020.
#pragma once
#include "suffice/model/logistic_regression.hpp"

namespace suffice {

// As fit_logistic_regression where no value is missing; what the columns are like is learned all the same, so that rows
// with holes can be scored. Penalties are given ones, and not Firth's.
Result<LogisticRegression> fit_integrated(const Schema& schema, const Features& features, Stream& stream,
                                          const LogisticSettings& settings, const Context& context,
                                          const std::optional<LogisticParameter>& start = {});

}  // namespace suffice
