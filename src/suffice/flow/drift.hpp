// What has changed between the rows of two models, or between those of a model and of files.
#pragma once
#include "suffice/compare/drift.hpp"
#include "suffice/flow/open_data.hpp"

namespace suffice {

// From the statistics alone. An Error names a model that keeps none of its columns.
Result<Drift> drift(const Model& before, const Model& after, const Context& context = {});

// The rows of files as `model` counts its own, for drift: of rows without a target all are of one nameless class.
Result<Model> count_alike(const Model& model, const std::vector<std::string>& files, const ApplyOptions& options,
                          const Context& context = {});

}  // namespace suffice
