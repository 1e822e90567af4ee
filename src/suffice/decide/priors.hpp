// Other class priors at decision time, without refitting: each log posterior shifts by the log ratio of priors.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "suffice/base/result.hpp"

namespace suffice {

// p'(c | x) is proportional to p(c | x) wanted(c) / trained(c); rows x classes in place. A class whose wanted prior is
// zero is ruled out. The boundary between two classes stays parallel where it was linear.
Result<void> shift_priors(std::span<double> posteriors, std::size_t class_count, std::span<const double> trained,
                          std::span<const double> wanted);

// The priors under which the rows are most likely, by EM over the posteriors alone: Saerens, Latinne, Decaestecker
// (2002).
Result<std::vector<double>> adapt_priors(std::span<const double> posteriors, std::size_t class_count,
                                         std::span<const double> trained);

}  // namespace suffice
