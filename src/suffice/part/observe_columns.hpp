// Feeds rows to the columns of one family: value by value, or a whole unit by a kernel where there is one.
#pragma once
#include <cmath>
#include <vector>

#include "suffice/base/workspace.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/family/bernoulli.hpp"
#include "suffice/family/categorical.hpp"
#include "suffice/family/gaussian.hpp"

namespace suffice {

template <ColumnFamily F>
struct FamilyPart;

struct GatherScratch {
    std::vector<double> values;
};

// NaN is missing: neither observed nor scored.
template <ColumnFamily F>
void observe_columns(FamilyPart<F>& part, kernel::Rows rows, const Membership& membership, Workspace&) {
    for (std::size_t row = 0; row < rows.row_count; ++row)
        membership.for_each_class(row, [&](std::size_t c, double weight) {
            const double* x = rows.row(row);
            for (std::size_t k = 0; k < part.columns.size(); ++k) {
                if (std::isnan(x[k])) continue;
                if (part.family[k].supports(x[k])) {
                    part.family[k].observe(part.by_class[c][k], x[k], weight);
                } else {
                    part.refused[k] += weight;
                }
            }
        });
}

void observe_columns(FamilyPart<Gaussian>& part, kernel::Rows rows, const Membership& membership, Workspace& workspace);
// Floats where they lie. False, and nothing observed: another block, or rows that need a second look.
bool observe_floats(FamilyPart<Gaussian>& part, const Block& block, const Membership& membership, Workspace& workspace);
void observe_columns(FamilyPart<Bernoulli>& part, kernel::Rows rows, const Membership& membership,
                     Workspace& workspace);
// Flags of one byte each. False, and nothing observed: another block, rows with weights, or other numbers.
bool observe_bytes(FamilyPart<Bernoulli>& part, const Block& block, const Membership& membership, Workspace& workspace);
// Flags of a sparse matrix with all columns in order: what is absent is zero and costs nothing.
void observe_entries(FamilyPart<Bernoulli>& part, const SparseBlock& rows, const Membership& membership);
void observe_columns(FamilyPart<Categorical>& part, kernel::Rows rows, const Membership& membership,
                     Workspace& workspace);

}  // namespace suffice
