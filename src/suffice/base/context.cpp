// Finds how many threads this process may use.
#include "suffice/base/context.hpp"

#include <cstdlib>
#include <sched.h>
#include <thread>

namespace suffice {

unsigned default_thread_count() {
    if (const char* wanted = std::getenv("SUFFICE_THREADS")) {
        const long count = std::strtol(wanted, nullptr, 10);
        if (count > 0 && count < 4096) return static_cast<unsigned>(count);
    }
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        const int count = CPU_COUNT(&allowed);
        if (count > 0) return static_cast<unsigned>(count);
    }
    const unsigned count = std::thread::hardware_concurrency();
    return count > 0 ? count : 1;
}

}  // namespace suffice
