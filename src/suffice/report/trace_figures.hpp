// Pictures of searches: what each step came to.
#pragma once
#include <string>
#include <vector>

#include "suffice/regress/logistic_trace.hpp"
#include "suffice/report/figure.hpp"

namespace suffice {

Figure newton_figure(const LogisticTrace& trace);
// An objective before each step, such as a log-likelihood or a sum of squares.
Figure objective_figure(const std::string& objective, const std::vector<double>& path);

}  // namespace suffice
