// The algebra of models: a state is the sum of its rows, so two of them are added, one is taken out of another, all of
// one fades, and another model is derived. Everybody who combines models does it here: C++, the command and Python.
#pragma once
#include "suffice/model/classifier.hpp"

namespace suffice {

// Good where the state is a sum: it can be merged, taken apart and derived from. An Error says why not.
Result<void> check_is_sum(const ModelState& state);
std::string why_no_sum(const ModelState& state);  // what it is instead, in words

// As if made of the rows of both. A column that was flags on one side and numbers on the other is numbers; classes,
// levels and words are those of both.
Result<ModelState> merge(ModelState left, ModelState right);
// Without those rows, as if it had never seen them; `rows` is the state of a fit to them.
Result<ModelState> subtract(ModelState whole, ModelState rows);
// Every row counts `factor` as much as before.
Result<ModelState> decay(ModelState state, double factor);
// Another model from the same statistics; the data are not needed. `model` is a canonical name.
Result<ModelState> derive(ModelState state, std::string model, Settings settings);
// Keeps only what predicting needs: smaller where statistics were kept by class, and no longer a sum.
ModelState strip(ModelState state);

// The same of estimated models.
Result<Classifier> merge(const Classifier& left, const Classifier& right);
Result<Classifier> subtract(const Classifier& model, const Classifier& rows);
Result<Classifier> decay(const Classifier& model, double factor);
Result<Classifier> derive(const Classifier& model, std::string name, Settings settings);

}  // namespace suffice
