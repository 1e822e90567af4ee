// The extension module suffice._core: the library as the Python half of the package sees it.
#include "core/bind.hpp"
#include "core/running.hpp"
#include <nanobind/nanobind.h>

NB_MODULE(_core, module) {
    nanobind::set_leak_warnings(false);  // interpreters that are torn down early would print about it
    suffice::python::bind_errors(module);
    suffice::python::bind_labels(module);
    suffice::python::bind_level_tops(module);
    suffice::python::bind_scores(module);
    suffice::python::bind_state(module);
    suffice::python::bind_model(module);
    suffice::python::bind_stated(module);
    suffice::python::bind_basis(module);
    suffice::python::bind_logistic(module);
    suffice::python::bind_files(module);
    suffice::python::bind_part_fits(module);
    suffice::python::bind_part_scorer(module);
    suffice::python::bind_table_rows(module);
    suffice::python::bind_families(module);
    suffice::python::bind_mathematics(module);
    suffice::python::bind_evaluate(module);
    suffice::python::bind_text_counts(module);
    suffice::python::bind_mixture(module);
    suffice::python::bind_mixture_discriminant(module);
    suffice::python::bind_cluster(module);
    suffice::python::bind_density(module);
    suffice::python::bind_arrow(module);
    suffice::python::bind_compare(module);
    suffice::python::bind_text_model(module);
    suffice::python::bind_report(module);
    suffice::python::bind_lessons(module);
    suffice::python::bind_export(module);
    suffice::python::bind_drift(module);
#ifdef SUFFICE_SERVER
    suffice::python::bind_serve(module);
#endif
    module.def("default_thread_count", &suffice::default_thread_count);
}
