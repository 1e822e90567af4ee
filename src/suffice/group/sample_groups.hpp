// Groups of points that nothing random decides: Ward's hierarchy cut at so many groups, and quantiles.
#pragma once
#include <cstdint>
#include <vector>

#include "suffice/base/matrix.hpp"

namespace suffice {

// Merges those two groups again and again that raise the sum of squares within groups least: Ward (1963), by chains of
// nearest neighbours (Murtagh 1983). Of many points some at equal distances are merged, and the others join the nearest
// group. Empty: there are fewer distinct points than groups.
std::vector<std::int32_t> ward_groups(const Matrix& points, const std::vector<double>& weight, std::size_t count);

// Equal parts along the first principal axis; in one dimension mclust's start.
std::vector<std::int32_t> quantile_groups(const Matrix& points, const std::vector<double>& weight, std::size_t count);

}  // namespace suffice
