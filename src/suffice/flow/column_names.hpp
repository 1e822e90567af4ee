// Columns of a table by what the user calls them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/base/split_list.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

// By name; in a file without a header also by number, from one.
std::optional<std::uint32_t> find_column(const std::vector<FoundColumn>& found, std::string_view name);
// All that a name, a glob (q*, ?1) or a range from one column to another (3-7, age:income) stands for; empty: none.
std::vector<std::uint32_t> columns_like(const std::vector<FoundColumn>& found, const std::string& wish);
// Each wish is a name, a glob or a range, or else a list of names with commas between them (double quotes around a name
// that holds one).
Result<std::vector<std::uint32_t>> find_columns(const std::vector<FoundColumn>& found,
                                                const std::vector<std::string>& wishes, const std::string& file);
Error no_column(const std::string& wanted, const std::vector<FoundColumn>& found, const std::string& file,
                bool tell_others = true);

}  // namespace suffice
