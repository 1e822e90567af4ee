// Counts rows of known classes, and how many are of none.
#include "suffice/model/labeled_rows.hpp"

#include <algorithm>

namespace suffice {
namespace {

double unknown_weight(const LabeledBlock& unit) {
    if (unit.weight.empty() && unit.label.empty()) return static_cast<double>(unit.size());
    if (unit.weight.empty())
        return static_cast<double>(std::ranges::count_if(unit.label, [](auto c) { return c < 0; }));
    double sum = 0;
    for (std::size_t row = 0; row < unit.weight.size(); ++row)
        if (unit.label_of(row) < 0) sum += unit.weight[row];
    return sum;
}

}  // namespace

Result<void> LabeledRows::observe(ModelStatistic& into, const LabeledBlock& unit, const Schema& names,
                                  Workspace& workspace) const {
    into.grow(names);
    into.unlabeled_weight += unknown_weight(unit);
    if (unit.label.empty()) return {};
    into.observe(unit.rows, {into.schema.classes.size(), unit.label, unit.weight}, workspace);
    return {};
}

}  // namespace suffice
