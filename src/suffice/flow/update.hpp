// Models that gain or lose the rows of further files.
#pragma once
#include "suffice/flow/open_data.hpp"

namespace suffice {

// update and forget: the model with, or without, the rows of these files.
Result<Model> update(const Model& model, const Data& data, const ApplyOptions& options, const Context& context = {});
Result<Model> forget(const Model& model, const Data& data, const ApplyOptions& options, const Context& context = {});

}  // namespace suffice
