// The structures of the covariances of a mixture's components: mclust's fourteen, of which four have plain names too.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "suffice/base/enum_names.hpp"
#include "suffice/estimate/covariance_structure.hpp"

namespace suffice {

// Letters say of volume, shape and orientation whether they are equal, vary between components, or are the axes.
enum class ComponentShape : std::uint8_t {
    full,       // VVV
    tied,       // EEE
    diagonal,   // VVI
    spherical,  // VII
    eii,
    vii,
    eei,
    vei,
    evi,
    vvi,
    eee,
    vee,
    eve,
    vve,
    eev,
    vev,
    evv,
    vvv,
    any,  // the best of them by BIC
};
template <>
inline constexpr std::array<std::string_view, 19> enum_names<ComponentShape>{
    "full", "tied", "diagonal", "spherical", "EII", "VII", "EEI", "VEI", "EVI", "VVI",
    "EEE",  "VEE",  "EVE",      "VVE",       "EEV", "VEV", "EVV", "VVV", "any"};

// mclust's fourteen by their own names; in one dimension EII and VII, for there is only a volume.
std::span<const ComponentShape> every_shape(std::size_t dimension);

// One name for each structure: the plain one where there is one. In one dimension the others are EII or spherical.
ComponentShape plain_shape(ComponentShape shape, std::size_t dimension);
// The form in which a pass gathers moments for this structure: full, tied, diagonal or spherical.
ComponentShape moments_of(ComponentShape plain);

// What an estimator calls it.
struct CovarianceStructure {
    Covariance covariance = Covariance::full;
    Sharing sharing = Sharing::own;
    std::optional<Parsimonious> shared = {};  // with Sharing::groups: what components share

    void write_to(Settings& settings) const;
};
CovarianceStructure structure_of(ComponentShape plain);
ComponentShape shape_named(const Settings& settings);  // plain
// Whether each component needs a scatter of full rank of its own: then it needs more rows than columns.
bool needs_full_rank(ComponentShape plain);

}  // namespace suffice
