// How scikit-learn names the shape of a component's covariance.
#pragma once
#include <algorithm>
#include <string>

#include "suffice/base/result.hpp"
#include "suffice/group/component_shape.hpp"

namespace suffice::python {

inline ComponentShape shape_of(const std::string& name) {
    if (name == "diag") return ComponentShape::diagonal;
    const auto found = std::ranges::find(enum_names<ComponentShape>, name);
    if (found == enum_names<ComponentShape>.end())
        throw Exception(Error(ErrorKind::usage, "there is no covariance type " + name));
    return static_cast<ComponentShape>(found - enum_names<ComponentShape>.begin());
}

}  // namespace suffice::python
