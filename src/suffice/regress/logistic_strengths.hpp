// The strengths of a penalty among which one is chosen, by what the rows can tell.
#pragma once
#include "suffice/regress/logistic.hpp"

namespace suffice {

// So many of them, strongest first, evenly apart in their logarithms. Of a lasso: from the least that leaves every
// coefficient zero to its ten-thousandth, as glmnet (Friedman, Hastie, Tibshirani, 2010). Of squares alone: from the
// largest sum of squares of a feature, beside which its coefficient vanishes, through eight powers of ten.
Result<std::vector<double>> penalty_strengths(const Schema& schema, const Features& features, Stream& stream,
                                              const LogisticSettings& settings, bool lasso, std::size_t count,
                                              const Context& context);

}  // namespace suffice
