// The extension module suffice._core: the library as the Python half of the package sees it.
#include <nanobind/nanobind.h>

#include "core/bind.hpp"
#include "core/running.hpp"

NB_MODULE(_core, module) {
    nanobind::set_leak_warnings(false);  // interpreters that are torn down early would print about it
    suffice::python::bind_errors(module);
    suffice::python::bind_labels(module);
    suffice::python::bind_scores(module);
    suffice::python::bind_state(module);
    suffice::python::bind_model(module);
    module.def("default_thread_count", &suffice::default_thread_count);
}
