// Folds of a cross-validation as a column of the data tells them, such as patients or days.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

// The fold of each row: rows of one value of the column are one fold.
Result<std::vector<std::uint32_t>> read_folds(const std::vector<std::string>& files, const ReadOptions& read,
                                              const std::string& name, const Context& context);

}  // namespace suffice
