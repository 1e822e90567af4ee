// Records of named numbers as Python's dicts.
#pragma once
#include <nanobind/nanobind.h>

#include "suffice/base/record.hpp"

namespace suffice::python {

namespace nb = nanobind;

Record record_from(const nb::dict& given);
nb::dict dict_of(const Record& record);

}  // namespace suffice::python
