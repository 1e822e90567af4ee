// Folds of a cross-validation as a column of the data tells them, such as patients or days.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/encode/data.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

// What a column says of each row, numbered by first appearance.
struct ValuesByRow {
    std::vector<std::uint32_t> value_of_row;
    std::vector<std::string> names;
};
Result<ValuesByRow> read_values(TableReader& reader, const std::string& name, const Context& context);
Result<ValuesByRow> read_values(const Data& data, const ReadOptions& read, const std::string& name,
                                const Context& context);

// Folds one after the other in the order of the values, as numbers where all are, about as large as each other; rows of
// one value stay together.
std::vector<std::uint32_t> folds_in_order(const ValuesByRow& values, std::uint32_t fold_count);

// The fold of each row: rows of one value of the column are one fold.
Result<std::vector<std::uint32_t>> read_folds(TableReader& reader, const std::string& name, const Context& context);
Result<std::vector<std::uint32_t>> read_folds(const Data& data, const ReadOptions& read, const std::string& name,
                                              const Context& context);

}  // namespace suffice
