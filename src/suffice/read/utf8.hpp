// Is this UTF-8?
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace suffice {

// Position of the first byte that is not part of well-formed UTF-8 (no surrogates, nothing overlong); npos: all is
// well.
std::size_t find_invalid_utf8(std::string_view text);

std::string as_utf8(std::string_view text);  // each byte that is not part of it replaced by U+FFFD

}  // namespace suffice
