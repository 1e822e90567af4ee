// A saved mixture that learns from more rows: they are read once, and each batch is a step of EM.
#pragma once
#include "suffice/flow/open_data.hpp"
#include "suffice/group/online_mixture.hpp"

namespace suffice {

// Whether rows are added to this model by steps of EM.
bool learns_by_steps(const Model& model);
Result<Model> learn_on(const Model& model, const Data& data, const ApplyOptions& options, const OnlineSteps& steps,
                       const Context& context = {});

}  // namespace suffice
