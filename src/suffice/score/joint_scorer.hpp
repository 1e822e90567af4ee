// A table over combinations of categories and flags, looked up.
#pragma once
#include "suffice/score/scorer.hpp"

namespace suffice {

// Cells are places in mixed radix, the last column's level running fastest.
struct JointTable {
    std::vector<std::uint32_t> columns;
    std::vector<std::uint32_t> level_count;
    std::size_t class_count = 0;
    std::vector<double> cell;             // ascending, those seen in some class
    std::vector<double> log_probability;  // cells x classes
    std::vector<double> log_unseen;       // by class: of each cell that no class has
    bool smoothed = true;                 // else a level that the model has not seen tells nothing
};

// A column that is missing is summed out. An explanation goes by the chain rule: the first column gives log p(x1), each
// later one log p(xj | those before it), so that they sum to the joint table's log probability.
std::unique_ptr<Scorer> joint_scorer(JointTable table);

}  // namespace suffice
