// Runs a few parts of one piece of work, each on its own thread.
#pragma once
#include <cstddef>
#include <functional>

namespace suffice {

// Calls act(part) for part 0 to count - 1, one of them on this thread. An exception in any part comes out here.
void run_parts(std::size_t count, const std::function<void(std::size_t)>& act);

}  // namespace suffice
