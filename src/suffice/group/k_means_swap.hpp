// Moves that bring k-means out of a local minimum: a centre that can be spared goes to where one is missing.
#pragma once
#include <vector>

#include "suffice/base/matrix.hpp"
#include "suffice/base/random.hpp"

namespace suffice {

// The centre whose rows would lose least by going to their second nearest centre is moved to a row of each of the
// `count` costliest others, drawn in proportion to its cost. Most promising first. After Franti, "Efficiency of random
// swap clustering", 2018; here the swaps are chosen, not random.
std::vector<Matrix> swapped_centres(const Matrix& points, const std::vector<double>& weight, const Matrix& centres,
                                    std::size_t count, Rng& rng);

}  // namespace suffice
