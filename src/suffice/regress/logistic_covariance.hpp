// How sure the estimates of a regression are: from the curvature of the likelihood, or from the scores of the rows.
#pragma once
#include "suffice/regress/logistic_search.hpp"

namespace suffice {

// From contrasts about the centre to what is told: of each class but the first its intercept and coefficients less
// those of the first, about zero; side x side. Rows of what cannot be estimated are zero.
std::vector<double> told_by_contrasts(const LogisticProblem& problem);

// Of what is told, at the point that was found; empty: not asked for, or not to be had.
Result<std::vector<double>> covariance_of_estimates(LogisticProblem& problem, const CurvaturePlan& plan,
                                                    LogisticPoint& at);

}  // namespace suffice
