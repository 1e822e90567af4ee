// Profile intervals and tests of terms, from the files that a regression was fitted to.
#pragma once
#include "suffice/flow/open_data.hpp"
#include "suffice/regress/logistic_profile.hpp"

namespace suffice {

Result<LikelihoodRatios> likelihood_ratios(const Model& model, const std::vector<std::string>& files,
                                           const ApplyOptions& options, const AskedRatios& asked,
                                           const Context& context);

}  // namespace suffice
