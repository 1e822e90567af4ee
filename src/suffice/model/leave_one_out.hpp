// Posteriors of rows under the model fitted without them, each from the statistics of all rows.
#pragma once
#include "suffice/model/classifier.hpp"

namespace suffice {

// log p(class | row), rows x classes, of each row under the model refitted without it: empirical class priors are
// estimated again, given ones stay. `rows` must be rows that the model was fitted to, with the class codes and weights
// they had; a row without a class is scored by the model as it is. Full covariances cost O(classes x d^2) per row,
// columns that are independent given the class O(classes x columns); only a row without which a covariance is nearly
// singular, and a reduced rank or a prior of one's own on a covariance, cost an estimate of their own. A class that
// had this row alone gets the smallest probability there is. Refuses intensities of shrinkage that are estimated, and
// covariances that have seen missing values. Documents are left out of multinomial models of one text column alone.
Result<Matrix> leave_one_out(const Classifier& model, const LabeledBlock& rows, const Context& context = {});

}  // namespace suffice
