// The extension module suffice._core: what each file binds, and how Errors become exceptions.
#include <nanobind/nanobind.h>
NB_MODULE(_core, module) {}
