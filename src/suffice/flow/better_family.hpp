// Would another family describe a column better?
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "suffice/data/block.hpp"
#include "suffice/data/schema.hpp"

namespace suffice {

struct BetterFamily {
    std::string family;
    double gain = 0;  // how much lower its BIC is
};

// The family that --family COLUMN=auto would choose, where it is clearly better than `family`: Kass and Raftery (1995)
// call a difference of ten in BIC very strong. `values` are the column's, by class.
std::optional<BetterFamily> better_family(const Schema& schema, std::size_t column, const LabeledBlock& rows,
                                          const std::string& family, const std::vector<std::vector<double>>& values);

}  // namespace suffice
