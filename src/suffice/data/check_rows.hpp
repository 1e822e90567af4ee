// The one door for rows: what must hold of columns, rows, labels and weights before anything learns from them or scores
// them, wherever they come from. Shapes are looked at once; values are left to the sums, levels to where they are
// looked up.
#pragma once
#include "suffice/base/result.hpp"
#include "suffice/data/block.hpp"
#include "suffice/data/schema.hpp"

namespace suffice {

// There is a column, and no name stands twice.
Result<void> check_columns(const Schema& schema);

// The rows have the columns of the schema, in number and in kind.
Result<void> check_rows(const Schema& schema, const Block& rows);

// The same, with as many labels and weights as rows, where there are any; a schema without columns promises none.
Result<void> check_rows(const Schema& schema, const LabeledBlock& rows);

// Labels are codes of the schema's classes (or below zero: not known), weights finite and not below zero.
Result<void> check_lesson(const Schema& schema, const LabeledBlock& rows);

// Codes of levels are whole: 0 to levels - 1, unseen_level, or NaN for missing.
inline bool is_level_code(double x, double levels) {
    return (x >= 0 && x < levels && x == static_cast<double>(static_cast<std::int64_t>(x))) || x == unseen_level;
}

}  // namespace suffice
