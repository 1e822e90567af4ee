// Stops a computation after some seconds of computing, or when the one around it is stopped.
#pragma once
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "suffice/base/context.hpp"

namespace suffice {

class TimeLimit {
public:
    // 0 seconds: no limit.
    TimeLimit(const Context& around, double seconds);
    ~TimeLimit();
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;

    const Context& context() const { return own_; }
    bool passed() const { return passed_.load(std::memory_order_relaxed); }

private:
    Context own_;
    std::atomic<bool> stopped_ = false, passed_ = false;
    bool over_ = false;  // guarded by mutex_
    std::mutex mutex_;
    std::condition_variable ended_;
    std::thread watch_;
};

}  // namespace suffice
