// Pictures of searches: what each step came to.
#pragma once
#include <string>
#include <vector>

#include "suffice/regress/logistic_trace.hpp"
#include "suffice/report/figure.hpp"

namespace suffice {

// The lengths of the gradient, to the digits that they have: those of a sum are about fourteen of its largest terms'.
std::vector<double> told_gradients(const LogisticTrace& trace);

Figure newton_figure(const LogisticTrace& trace);
// An objective before each step, such as a log-likelihood or a sum of squares.
Figure objective_figure(const std::string& objective, const std::vector<double>& path);

}  // namespace suffice
