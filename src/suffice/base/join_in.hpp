// Runs work that is drawn piece by piece here, and on other threads if they come in time.
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "suffice/base/together.hpp"

namespace suffice {

// work() on this thread, and on up to count - 1 others. A thread may begin milliseconds after it was made where cores
// are busy; one that has not begun when this thread is done finds nothing left to draw, so it is not waited for and
// never touches `work`. Of one that has begun the end of its work is waited for, but not that of the thread, which
// takes as long as a few hundred rows.
template <class Work>
void join_in(std::size_t count, const Work& work) {
    struct Share {
        std::atomic<bool> taken{false};  // by the thread that begins, or by this one to call it off
        std::atomic<bool> done{false};
    };
    struct Helper {
        std::shared_ptr<Share> share;
        std::jthread thread;
    };
    constexpr int glances = 20'000;  // ten microseconds or so: what is left of a last piece, unless the cores are busy
    std::vector<Helper> helpers;
    for (std::size_t t = 1; t < count; ++t) {
        auto share = std::make_shared<Share>();
        std::jthread thread([&work, share] {
            if (share->taken.exchange(true)) return;
            work();
            share->done.store(true, std::memory_order_release);
        });
        move_away(thread);
        helpers.push_back({std::move(share), std::move(thread)});
    }
    work();
    for (Helper& each : helpers) {
        bool over = !each.share->taken.exchange(true);
        for (int k = 0; k < glances && !over; ++k) over = each.share->done.load(std::memory_order_acquire);
        if (over) each.thread.detach();
    }
}

}  // namespace suffice
