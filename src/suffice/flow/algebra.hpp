// The algebra of whole models: their states combined (model/algebra.hpp), what they have seen carried along.
#pragma once
#include "suffice/flow/fit_options.hpp"
#include "suffice/flow/model.hpp"
#include "suffice/model/algebra.hpp"

namespace suffice {

// The model as a sum over its rows, which can be merged, taken apart and derived from; an Error names what it is
// instead.
Result<const Classifier*> as_sum(const Model& model);
// What is left of a model without those rows, which must not be nothing.
Result<ModelState> rest_of(const Classifier& whole, const Classifier& rows);
Result<Model> merge(const Model& left, const Model& right);           // as if trained together
Result<Model> subtract(const Model& model, const Model& rows);        // as if it had never seen those rows
Result<Model> decay(const Model& model, double factor);               // every row counts less, or as before at 1
Result<Model> derive(const Model& model, const FitOptions& options);  // another model, no data needed
Result<Model> strip(const Model& model);                              // keeps only what predicting needs

}  // namespace suffice
