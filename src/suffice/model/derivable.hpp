// Whether what a model has kept of its rows is enough for another one.
#pragma once
#include "suffice/model/classifier.hpp"
#include "suffice/model/model_table.hpp"

namespace suffice {

// An Error names what was kept where a fit of the other model would have kept something else.
Result<void> check_derivable(const ModelState& kept, const ModelEntry& model, const Settings& settings);

}  // namespace suffice
