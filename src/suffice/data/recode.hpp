// Moves whatever lies along the levels of a column to new codes; written once over `fields`.
#pragma once
#include "suffice/data/schema.hpp"

namespace suffice {

template <Fielded T>
void recode_levels(T& value, const CodeMap& map) {
    for_each_field(value, [&](const auto& each, auto& member) {
        if (each.axis != Axis::level) return;
        if constexpr (requires { member.size(); })
            member = map.spread(member);
        else
            member = map.count;  // a shape: how many levels there are
    });
}

}  // namespace suffice
