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
void bind_stated(nb::module_& module);  // behind bind_model
void bind_basis(nb::module_& module);
void bind_logistic(nb::module_& module);
void bind_files(nb::module_& module);
void bind_part_fits(nb::module_& module);
void bind_part_scorer(nb::module_& module);
void bind_table_rows(nb::module_& module);
void bind_families(nb::module_& module);
void bind_mathematics(nb::module_& module);
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
void bind_lessons(nb::module_& module);
void bind_export(nb::module_& module);
void bind_drift(nb::module_& module);
void bind_serve(nb::module_& module);  // where there is a server

}  // namespace suffice::python
