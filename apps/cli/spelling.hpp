// How the command writes a setting that the library speaks of.
#pragma once
#include <string>

#include "suffice/base/remedy.hpp"

namespace suffice::cli {

std::string spell_option(const GivenSetting& given);  // --keep per_class, --no-header

}  // namespace suffice::cli
