// Whether rows are those that a model was fitted to, of which it says more than it could of others.
#pragma once
#include "suffice/base/result.hpp"
#include "suffice/data/stream.hpp"
#include "suffice/evaluate/evaluation.hpp"
#include "suffice/flow/model.hpp"

namespace suffice {

// Whether the model was made from these very rows: as many, and with the same sums over them, which the likelihood
// tells; of a regression it is the log loss itself. Rows that cannot be read again are not looked at, nor texts, whose
// further words have no place in the sums of the model.
bool are_training_rows(const Model& model, const Scores& scores, Stream& rows, const Context& context);
Note training_rows_note();

}  // namespace suffice
