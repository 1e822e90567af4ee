// What a statistic keeps of one column, class by class, in whichever forms it has: how often each level or number came,
// or sums of numbers. Two models that keep a column in one form alike can be compared in it.
#pragma once
#include <optional>

#include "suffice/accumulate/number_counts.hpp"
#include "suffice/compare/change.hpp"
#include "suffice/model/model_statistic.hpp"

namespace suffice {

struct KeptColumn {
    std::vector<std::string> levels = {};                // of categories, flags and words
    std::vector<std::vector<double>> level_weight = {};  // by class; empty: no levels
    std::optional<NumberCounts> numbers = {};
    std::vector<Gaussian::Statistic> moments = {};  // of numbers, by class; empty: not kept
    const Part* part = nullptr;                     // of one family
    std::size_t position = 0;                       // of the column in it
    bool by_class = true;                           // false: only over all classes, told as one

    bool kept() const { return !level_weight.empty() || numbers || !moments.empty() || part != nullptr; }
};
// A column of the statistic's schema; nothing is kept of it where the model sees only sequences, say.
KeptColumn kept_column(const ModelStatistic& statistic, std::uint32_t column);

// Which classes of each side count: one, or all.
struct ClassesTaken {
    std::vector<std::size_t> before, after;
};
// Nothing: the two are not kept alike, or one has no rows of these classes.
std::optional<Change> change_of_column(const KeptColumn& before, const KeptColumn& after, const ClassesTaken& classes);

// The mean over some classes; nothing where the column is no number.
std::optional<double> mean_of(const KeptColumn& column, const std::vector<std::size_t>& classes);

}  // namespace suffice
