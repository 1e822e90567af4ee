// The stages behind a model as Python sees them.
#pragma once
#include <nanobind/nanobind.h>

namespace suffice::python {

void bind_stages(nanobind::module_& module);  // behind what bind_evaluate adds

}  // namespace suffice::python
