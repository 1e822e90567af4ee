// The settings of a fit as JSON.
#pragma once
#include "suffice/flow/fit_options.hpp"

namespace suffice {

// An object of names and values; "model", "columns" and "families" beside the settings of the table. Null or empty
// text: nothing is set.
Result<FitOptions> options_from_json(const char* text);

}  // namespace suffice
