// Lists as users write them on one line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace suffice {

// Cut at a mark, but not inside double quotes (which are taken off, doubled ones standing for one) nor parentheses.
// Blanks around a piece are dropped.
std::vector<std::string> split_list(std::string_view text, char mark = ',');
// "a,b;c" as lists of lists; quotes as above.
std::vector<std::vector<std::string>> split_lists(std::string_view text);

}  // namespace suffice
