// The four usual structures of the covariances of a mixture's components.
#pragma once
#include <cstdint>

namespace suffice {

enum class ComponentShape : std::uint8_t { full, tied, diagonal, spherical };

}  // namespace suffice
