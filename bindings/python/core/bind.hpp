// What each file of the module adds to it.
#pragma once
#include <nanobind/nanobind.h>

namespace suffice::python {

namespace nb = nanobind;

void bind_labels(nb::module_& module);
void bind_level_tops(nb::module_& module);
void bind_scores(nb::module_& module);
void bind_state(nb::module_& module);
void bind_model(nb::module_& module);
void bind_basis(nb::module_& module);
void bind_logistic(nb::module_& module);
void bind_files(nb::module_& module);
void bind_families(nb::module_& module);
void bind_evaluate(nb::module_& module);
void bind_text_counts(nb::module_& module);
void bind_mixture(nb::module_& module);
void bind_mixture_discriminant(nb::module_& module);  // behind bind_model
void bind_cluster(nb::module_& module);
void bind_density(nb::module_& module);
void bind_arrow(nb::module_& module);
void bind_compare(nb::module_& module);
void bind_text_model(nb::module_& module);
void bind_report(nb::module_& module);

}  // namespace suffice::python
