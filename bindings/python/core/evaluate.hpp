// What was measured of posteriors, with the keys of `evaluate --json`.
#pragma once
#include <nanobind/nanobind.h>

#include "suffice/evaluate/evaluation.hpp"

namespace suffice::python {

nanobind::dict dict_of(const Scores& scores);  // without the classes, which whoever asks knows

}  // namespace suffice::python
