// Values of settings between Python and the library.
#pragma once
#include <nanobind/nanobind.h>

#include "suffice/base/setting_value.hpp"
#include "suffice/data/text_options.hpp"

namespace suffice::python {

// None is null; whatever is neither number, text, list nor mapping is taken by its text.
SettingValue setting_value(nanobind::handle given);
nanobind::object python_value(const SettingValue& value);

// {"analyzer": "word", "ngrams": (1, 1), ...}: what is not named keeps its default.
TextOptions text_options_from(const nanobind::dict& given);

}  // namespace suffice::python
