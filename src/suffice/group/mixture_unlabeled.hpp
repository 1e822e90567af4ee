// Mixture discriminants that learn from rows without a class too.
#pragma once
#include "suffice/group/mixture_discriminant.hpp"

namespace suffice {

Result<void> check_unlabeled_weight(double weight);

// Each class is fitted to its own rows; then EM runs over all rows, those without a class counting `unlabeled_weight`.
Result<MixtureDiscriminant> fit_mixture_discriminant(const Schema& schema, Stream& stream,
                                                     const MixtureDiscriminantSettings& settings,
                                                     double unlabeled_weight, const Context& context = {});

}  // namespace suffice
