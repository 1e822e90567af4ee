// Names from strangers as people may see them: what would steer a terminal or turn the letters of a page around is
// spelled out. The one place that knows which characters those are.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace suffice {

// Control characters (C0, DEL, C1), line and paragraph separators, marks of direction, those without a width that no
// script needs, and tags. What binds letters together, as in emoji and Persian, stays.
bool is_unseen(std::uint32_t code);

// Each of them as \x1b or \u202e; bytes that are no UTF-8 as \xff. The rest is left alone, so that what was done once
// may be done again.
std::string visible(std::string_view name);
// The same of whole texts, whose ends of lines and tabs stay.
std::string visible_lines(std::string_view text);
// The inside of a JSON string: quotes and backslashes escaped, and what is not seen as \u202e, which loses nothing.
// Bytes that are no UTF-8 become U+FFFD.
std::string json_letters(std::string_view text);

}  // namespace suffice
