// Options of steps over batches, which cluster and update share.
#pragma once
#include "cli/options.hpp"

#include "suffice/group/online_mixture.hpp"

namespace suffice::cli {

Result<OnlineSteps> online_steps(const Arguments& arguments);  // --decay and --batch

}  // namespace suffice::cli
