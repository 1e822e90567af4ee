// What EM by itself never does: takes a component from where it is hardly needed to where one does the work of two.
#pragma once
#include <optional>

#include "suffice/accumulate/row_sample.hpp"
#include "suffice/group/mixture_fit.hpp"

namespace suffice {

// The components of the best fit so far with one of them dissolved and another split, as often as that raises the
// likelihood: how much each row belongs to each component then, component-major, by the row's number. Empty: nothing is
// better. Split and merge EM of Ueda, Nakano, Ghahramani and Hinton (2000), and further starts, by short runs
// (Biernacki, Celeux and Govaert, 2003) on the sample, which must hold every row.
Result<std::vector<double>> moved_shares(const MixtureFit& best, const ModelState& recipe, const LookedAt& looked,
                                         const MixtureSettings& settings, const Context& context);

}  // namespace suffice
