// Columns of a table by what the user calls them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/read/table.hpp"

namespace suffice {

// By name; in a file without a header also by number, from one.
std::optional<std::uint32_t> find_column(const std::vector<FoundColumn>& found, std::string_view name);
// Each wish is a name, or else a list of names with commas between them (double quotes around a name that holds one).
Result<std::vector<std::uint32_t>> find_columns(const std::vector<FoundColumn>& found,
                                                const std::vector<std::string>& wishes, const std::string& file);
Error no_column(const std::string& wanted, const std::vector<FoundColumn>& found, const std::string& file);

// Cut at a mark, but not inside double quotes (which are taken off, doubled ones standing for one) nor parentheses.
// Blanks around a piece are dropped.
std::vector<std::string> split_list(std::string_view text, char mark = ',');
// "a,b;c" as lists of lists; quotes as above.
std::vector<std::vector<std::string>> split_lists(std::string_view text);

}  // namespace suffice
