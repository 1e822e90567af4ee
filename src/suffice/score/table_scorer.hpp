// Categorical columns: one table of log probabilities per column, with a last line for levels never seen.
#pragma once
#include <memory>
#include <vector>

#include "suffice/score/scorer.hpp"

namespace suffice {

// log_probability[column][level * class_count + class]; the line after the last level scores an unseen one (zeros: it
// tells nothing).
struct LevelTables {
    std::size_t class_count = 0;
    std::vector<std::uint32_t> columns;
    std::vector<std::uint32_t> level_count;  // without the line for unseen levels
    std::vector<std::vector<double>> log_probability;
};

std::unique_ptr<Scorer> table_scorer(LevelTables tables);

}  // namespace suffice
