// A first answer for wide sparse regression with a squared penalty, by coordinate ascent on its dual: with
// theta = X'(y - a) / penalty the dual is maximised over the probabilities a of one row after the other (Shalev-Shwartz
// and Zhang, "Stochastic dual coordinate ascent methods for regularized loss minimization", 2013). A sweep costs as
// much as one pass, and a few of them do what many gradients do; the last digits are Newton's.
#pragma once
#include "suffice/regress/logistic_problem.hpp"
#include "suffice/regress/logistic_wide_pass.hpp"

namespace suffice {

// Improves theta, which holds biases alone, and tells how many sweeps it took, half of the steps allowed at most; none:
// the rows are not sparse ones in memory, and nothing was done.
Result<std::size_t> dual_sweeps(LogisticProblem& problem, const WideShape& shape, std::vector<double>& theta);

}  // namespace suffice
