// Runs work that is drawn piece by piece here, and on other threads if they come in time.
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "suffice/base/together.hpp"

namespace suffice {

// work() on this thread, and on up to count - 1 others. A thread may begin milliseconds after it was made where cores
// are busy; one that has not begun when this thread is done finds nothing left to draw, so it is not waited for and
// never touches `work`.
template <class Work>
void join_in(std::size_t count, const Work& work) {
    struct Helper {
        std::shared_ptr<std::atomic<bool>> taken;  // by the thread that begins, or by this one to call it off
        std::jthread thread;
    };
    std::vector<Helper> helpers;
    for (std::size_t t = 1; t < count; ++t) {
        auto taken = std::make_shared<std::atomic<bool>>(false);
        std::jthread thread([&work, taken] {
            if (!taken->exchange(true)) work();
        });
        move_away(thread);
        helpers.push_back({std::move(taken), std::move(thread)});
    }
    work();
    for (Helper& each : helpers)
        if (!each.taken->exchange(true)) each.thread.detach();
}

}  // namespace suffice
