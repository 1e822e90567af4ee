// The evidence of a penalty: log p(labels | rows) by Laplace's approximation around the coefficients, the penalty being
// a Gaussian prior on them and the intercept's prior flat. MacKay, "The evidence framework applied to classification
// networks" (1992). A flat prior has no size, so only differences between fits of the same rows mean something.
#pragma once
#include "suffice/regress/logistic.hpp"

namespace suffice {

// covariance: as in LogisticFit, of the coefficients of `parameter` under `settings`. offsets: features that have no
// prior, their coefficients being given. unit: of each feature, as in LogisticFit.
Result<double> laplace_log_evidence(const LogisticSettings& settings, const LogisticParameter& parameter,
                                    std::span<const double> covariance, std::span<const OffsetFeature> offsets,
                                    std::span<const double> unit, double log_likelihood);

// The penalty of greatest evidence, found by fits that start where the one before ended.
Result<double> penalty_of_greatest_evidence(const Schema& schema, const Features& features, Stream& stream,
                                            const LogisticSettings& settings, const Context& context);

}  // namespace suffice
