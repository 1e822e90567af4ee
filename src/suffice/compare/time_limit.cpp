// A thread that waits.
#include "suffice/compare/time_limit.hpp"

#include <algorithm>
#include <chrono>

namespace suffice {

TimeLimit::TimeLimit(const Context& around, double seconds) : own_(around) {
    if (!(seconds > 0)) return;
#ifndef __wasi__  // which has no threads: there nothing is cut short
    own_.cancelled = &stopped_;
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::milliseconds(static_cast<std::int64_t>(1e3 * std::min(seconds, 1e9)));
    watch_ = std::thread([this, &around, end] {
        constexpr auto glance = std::chrono::milliseconds(20);  // at whether all is to stop
        std::unique_lock lock(mutex_);
        while (!over_ && !stopped_) {
            passed_ = std::chrono::steady_clock::now() >= end;
            stopped_ = passed_ || around.stopped();
            if (!stopped_) ended_.wait_for(lock, glance);
        }
    });
#endif
}

TimeLimit::~TimeLimit() {
    if (!watch_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    ended_.notify_all();
    watch_.join();
}

}  // namespace suffice
