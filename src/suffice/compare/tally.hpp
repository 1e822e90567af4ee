// What scoring a model comes to, fold by fold, and the models in order of it.
#pragma once
#include <span>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/compare/cross_validation.hpp"

namespace suffice {

// What scoring one model on one fold sums up to.
struct Tally {
    double weight = 0, correct = 0, loss = 0, seconds = 0;
    static constexpr auto fields = FieldTuple{field("weight", &Tally::weight), field("correct", &Tally::correct),
                                              field("loss", &Tally::loss), field("seconds", &Tally::seconds)};
    bool operator==(const Tally&) const = default;
};

// Sums over the folds, and standard errors of the means over them.
void summarize(std::span<const Tally> folds, Compared& into);
// Differences of the log losses to the least of them: their means over all rows, and the standard errors of the means
// of the folds' differences.
void differ_from_best(std::vector<Compared>& compared, const std::vector<std::vector<Tally>>& tallies);
// By log loss; models that failed come last.
void best_first(std::vector<Compared>& compared);

}  // namespace suffice
