// Clusters around centres under distances other than the squared Euclidean. A centre is what minimises the distances of
// its rows: their mean direction (cosine: spherical k-means), the median of each column (Manhattan: k-medians), else
// the row in their middle (k-medoids). So no step raises the sum of distances.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/base/enum_names.hpp"
#include "suffice/base/matrix.hpp"
#include "suffice/base/result.hpp"

namespace suffice {

enum class ClusterDistance : std::uint8_t { cosine, manhattan, euclidean, chebyshev };
template <>
inline constexpr std::array<std::string_view, 4> enum_names<ClusterDistance>{"cosine", "manhattan", "euclidean",
                                                                             "chebyshev"};

struct CentreClusterSettings {
    std::size_t centre_count = 8;
    ClusterDistance distance = ClusterDistance::cosine;
    std::size_t starts = 10;  // the one with the least cost is kept
    std::size_t step_limit = 300;
    bool follow = false;  // the centres before each step are kept, and those after the last
};

struct CentreClusters {
    Matrix centres;
    ClusterDistance distance = ClusterDistance::cosine;
    std::vector<std::int32_t> nearest;  // of each row
    double cost = 0;                    // sum of weighted distances to the nearest centre
    std::size_t steps = 0;
    bool settled = false;               // else the limit of steps was reached
    std::vector<double> path;           // the cost before each step; it never rises
    std::vector<Matrix> followed = {};  // where asked for: centres, and the weight of their rows as the last column
    std::vector<Note> notes;

    Result<std::vector<std::int32_t>> predict(const Matrix& rows, const Context& context = {}) const;
};

// weight: empty, or one for each row. Cosine needs rows that are not zero.
Result<CentreClusters> fit_centre_clusters(const Matrix& rows, std::span<const double> weight,
                                           const CentreClusterSettings& settings, const Context& context = {});

}  // namespace suffice
