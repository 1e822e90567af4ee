// A model stated in JSON rather than learned:
//   {"priors": {"a": 0.3, "b": 0.7}, "columns": ["x", "y"], "means": {"a": [0, 0], "b": [2, 1]},
//    "covariance": [[2, 0.5], [0.5, 1]],
//    "families": {"visits": {"family": "poisson", "a": [4], "b": [1.5]}}}
// "covariances" has one for each class; a categorical column names its "levels".
#pragma once
#include <string>

#include "suffice/compare/regression_options.hpp"
#include "suffice/flow/model.hpp"
#include "suffice/model/given.hpp"

namespace suffice {

Result<GivenModel> given_model_of(const std::string& json);
Result<Model> model_of_text(const std::string& json);
// Where a regression starts: {"(intercept)": 0, "age": 1} of two classes, or such objects by the name of the class.
Result<std::vector<StartingCoefficient>> start_of_text(const std::string& json);

}  // namespace suffice
