// How Python writes a setting that the library speaks of.
#pragma once
#include <string>

#include "suffice/base/remedy.hpp"

namespace suffice::python {

std::string spell_keyword(const GivenSetting& given);  // keep="per_class", families={"age": "poisson"}

}  // namespace suffice::python
