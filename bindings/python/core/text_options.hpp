// Text options that Python gives by name.
#pragma once
#include <nanobind/nanobind.h>

#include "suffice/data/text_options.hpp"

namespace suffice::python {

// {"analyzer": "word", "ngram_range": (1, 1), ...}: what is not named keeps its default.
TextOptions text_options_from(const nanobind::dict& given);

}  // namespace suffice::python
