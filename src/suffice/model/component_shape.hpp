// The four usual structures of the covariances of a mixture's components.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace suffice {

enum class ComponentShape : std::uint8_t { full, tied, diagonal, spherical };
inline constexpr std::array<std::string_view, 4> component_shape_names{"full", "tied", "diagonal", "spherical"};

}  // namespace suffice
