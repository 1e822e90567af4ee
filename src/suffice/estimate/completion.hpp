// EM for missing values on statistics alone (Little & Rubin 2019, sec. 11.2). The E-step turns the statistic of each
// pattern of presence into the expected statistic of complete rows; the M-step is the ordinary estimator, so every
// covariance structure is served and the rows are not needed again.
#pragma once
#include "suffice/accumulate/class_scatter.hpp"
#include "suffice/accumulate/pattern_statistic.hpp"
#include "suffice/accumulate/several.hpp"
#include "suffice/estimate/gaussians.hpp"

namespace suffice {

// `complete` are the rows without holes, kept per class.
Result<EstimatedGaussians> estimate_incomplete(const ClassScatterStatistic& complete,
                                               const Several<PatternStatistic>& incomplete, const Settings& settings,
                                               const GaussianNames& names);

}  // namespace suffice
