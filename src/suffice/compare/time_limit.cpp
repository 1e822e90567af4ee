// A thread that waits.
#include "suffice/compare/time_limit.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace suffice {

#ifndef __wasi__  // which has no threads and no clock of its own: there nothing is cut short
namespace {

// Of this process: a busy machine gives less of them in a second, and would leave other candidates unfinished.
double computing_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

constexpr double most_waiting = 10;  // seconds by the clock for each second of computing, so that all ends

}  // namespace
#endif

TimeLimit::TimeLimit(const Context& around, double seconds) : own_(around) {
    if (!(seconds > 0)) return;
#ifndef __wasi__
    own_.cancelled = &stopped_;
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::milliseconds(static_cast<std::int64_t>(1e3 * most_waiting * std::min(seconds, 1e8)));
    watch_ = std::thread([this, &around, end, enough = computing_seconds() + seconds] {
        constexpr auto glance = std::chrono::milliseconds(20);  // at whether all is to stop
        std::unique_lock lock(mutex_);
        while (!over_ && !stopped_) {
            passed_ = computing_seconds() >= enough || std::chrono::steady_clock::now() >= end;
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
