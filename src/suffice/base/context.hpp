// How a computation may run: threads, seed, a place to report progress, a way to stop it. Never what it computes.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>

namespace suffice {

struct Progress {
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;
    std::uint64_t total_bytes = 0;  // 0: unknown, as on a pipe
};

// The cores this process may use, or SUFFICE_THREADS where it is set to a positive number.
unsigned default_thread_count();

struct Context {
    unsigned thread_count = default_thread_count();
    std::uint64_t seed = 0;
    std::function<void(const Progress&)> progress = {};  // called from one thread at a time
    const std::atomic<bool>* cancelled = nullptr;        // set by a signal handler or another thread

    bool stopped() const { return cancelled != nullptr && cancelled->load(std::memory_order_relaxed); }
};

}  // namespace suffice
