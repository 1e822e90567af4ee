// Tables of structures.
#include "suffice/group/component_shape.hpp"

#include <algorithm>

namespace suffice {
namespace {

using enum ComponentShape;

constexpr std::array fourteen{eii, vii, eei, vei, evi, vvi, eee, vee, eve, vve, eev, vev, evv, vvv};

struct Named {
    ComponentShape shape;
    CovarianceStructure structure;
};
constexpr std::array structures{Named{full, {Covariance::full, Sharing::own}},
                                Named{tied, {Covariance::full, Sharing::all}},
                                Named{diagonal, {Covariance::diagonal, Sharing::own}},
                                Named{spherical, {Covariance::spherical, Sharing::own}},
                                Named{eii, {Covariance::spherical, Sharing::all}},
                                Named{eei, {Covariance::diagonal, Sharing::all}},
                                Named{vei, {Covariance::diagonal, Sharing::groups, Parsimonious::vei}},
                                Named{evi, {Covariance::diagonal, Sharing::groups, Parsimonious::evi}},
                                Named{vee, {Covariance::full, Sharing::groups, Parsimonious::vee}},
                                Named{eve, {Covariance::full, Sharing::groups, Parsimonious::eve}},
                                Named{vve, {Covariance::full, Sharing::groups, Parsimonious::vve}},
                                Named{eev, {Covariance::full, Sharing::groups, Parsimonious::eev}},
                                Named{vev, {Covariance::full, Sharing::groups, Parsimonious::vev}},
                                Named{evv, {Covariance::full, Sharing::groups, Parsimonious::evv}}};

}  // namespace

std::span<const ComponentShape> every_shape(std::size_t dimension) {
    return dimension == 1 ? std::span(fourteen).first(2) : std::span<const ComponentShape>(fourteen);
}

ComponentShape plain_shape(ComponentShape shape, std::size_t dimension) {
    if (dimension == 1 && shape >= eii && shape < any && shape != eee && shape != vvi && shape != vvv)
        return name_of(shape).starts_with('E') ? eii : spherical;
    switch (shape) {
        case vvv:
        case any:
            return full;
        case eee:
            return tied;
        case vvi:
            return diagonal;
        case vii:
            return spherical;
        default:
            return shape;
    }
}

ComponentShape moments_of(ComponentShape plain) {
    switch (plain) {
        case spherical:
        case tied:
        case diagonal:
            return plain;
        case eii:
        case eei:
        case vei:
        case evi:
            return diagonal;
        default:
            return full;
    }
}

CovarianceStructure structure_of(ComponentShape plain) {
    return std::ranges::find(structures, plain, &Named::shape)->structure;
}

void CovarianceStructure::write_to(Settings& settings) const {
    settings.covariance = covariance;
    settings.sharing = sharing;
    settings.groups.clear();
    if (shared) settings.groups = {{std::string(name_of(*shared))}};
}

ComponentShape shape_named(const Settings& settings) {
    const auto shared = parsimonious_structure(settings);
    const auto found = std::ranges::find_if(structures, [&](const Named& each) {
        return shared ? each.structure.shared == shared
                      : each.structure.covariance == settings.covariance && each.structure.sharing == settings.sharing;
    });
    return found == structures.end() ? full : found->shape;
}

bool needs_full_rank(ComponentShape plain) { return plain == full || plain == evv || plain == vve || plain == eve; }

}  // namespace suffice
