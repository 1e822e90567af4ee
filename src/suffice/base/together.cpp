// Moves threads from one core to another.
#include "suffice/base/together.hpp"

#include <pthread.h>
#include <sched.h>

namespace suffice {

void move_away(std::jthread& thread) {
    cpu_set_t allowed;
    const int here = sched_getcpu();
    if (here < 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    cpu_set_t others = allowed;
    CPU_CLR(here, &others);
    if (CPU_COUNT(&others) == 0) return;
    // A thread that runs elsewhere already is not touched by the first call, and the second one frees it in any case.
    if (pthread_setaffinity_np(thread.native_handle(), sizeof others, &others) == 0)
        pthread_setaffinity_np(thread.native_handle(), sizeof allowed, &allowed);
}

}  // namespace suffice
