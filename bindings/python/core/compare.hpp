// Rows of a table of compared models as Python has them.
#pragma once
#include <optional>

#include <nanobind/nanobind.h>

#include "suffice/compare/cross_validation.hpp"

namespace suffice::python {

nanobind::dict compared_dict(const Compared& one);
nanobind::object nested_dict(const std::optional<NestedScores>& nested);

}  // namespace suffice::python
