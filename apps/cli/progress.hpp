// A bar on the terminal while rows go through.
#pragma once
#include <functional>

#include "suffice/base/context.hpp"

namespace suffice::cli {

// Empty where stderr is no terminal.
std::function<void(const Progress&)> progress_bar();
// Takes the bar off the screen again.
void end_progress();

}  // namespace suffice::cli
