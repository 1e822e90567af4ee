// Logistic regression on so many features that no matrix of them is formed: Newton steps by conjugate gradients (Lin,
// Weng, Keerthi, "Trust region Newton method for large-scale logistic regression", 2008, with halved steps in place of
// the trust region), or proximal gradients where the penalty has corners.
#pragma once
#include "suffice/regress/logistic_problem.hpp"

namespace suffice {

// The largest entry of the loss's gradient where every coefficient is zero and intercepts are those of the classes.
Result<double> largest_wide_gradient(LogisticProblem& problem);
Result<LogisticFit> fit_wide(LogisticProblem& problem, const std::optional<LogisticParameter>& start);

}  // namespace suffice
