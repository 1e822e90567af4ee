// What Python says of a fit by the name of a model, and what it gets back.
#pragma once
#include <string>

#include <nanobind/nanobind.h>

#include "suffice/flow/fit_options.hpp"
#include "suffice/flow/model.hpp"

namespace suffice::python {

FitOptions options_of(const std::string& target, const std::string& model, const nanobind::dict& settings,
                      const nanobind::dict& families);

// (state, regression or mixture, notes)
nanobind::tuple result_of(const Model& done);

}  // namespace suffice::python
