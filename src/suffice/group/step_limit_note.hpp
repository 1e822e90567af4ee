// The sentence about a fit that took all the steps it was allowed: how far it still moved is said.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace suffice {

// "EM stopped at the limit of 3 steps, when the log-likelihood per row still rose by 0.0106"; without a finite change
// the sentence ends after the steps.
std::string step_limit_note(std::string_view what, std::size_t limit, std::string_view how, double change);

}  // namespace suffice
