// EM over the rows themselves, where they have more patterns of missing values than are kept.
#pragma once
#include "suffice/data/stream.hpp"
#include "suffice/part/covariance_part.hpp"

namespace suffice {

struct CompletedPart {
    CovariancePart part;        // sums over all rows, each hole filled by what is expected there
    double log_likelihood = 0;  // of what is there
    bool settled = true;        // else the limit of steps was reached
};

// `part` has seen the rows of the stream, which is run through once for each step.
Result<CompletedPart> complete_by_passes(const CovariancePart& part, const Settings& settings, const Schema& schema,
                                         Stream& stream, const Context& context);

}  // namespace suffice
