// Columns with names as Python hands them over: what is fitted as a table, and rows of models that read text.
#pragma once
#include "core/state.hpp"
#include <nanobind/nanobind.h>

#include "suffice/encode/table.hpp"

namespace suffice::python {

// Columns are (name, numbers, None, 0) or (name, codes, levels, how many of them are declared); a code below 0:
// missing.
Table table_of(const nb::list& columns);

// The columns of a model's state, found in a table.
class TableRows {
public:
    TableRows(const State& state, const nb::list& columns);
    Block block() const { return encoded_.rows(); }

private:
    Table table_;
    EncodedTable encoded_;
};

}  // namespace suffice::python
