// Keeps threads, wakes them and waits for them.
#include "suffice/base/crew.hpp"

#include <atomic>
#include <csignal>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <vector>

namespace suffice {
namespace {

constexpr int glances = 20'000;  // ten microseconds or so: what is left of a last piece, unless the cores are busy

// Where a woken thread waits in line behind its waker, moves it to another core that it may use; it stays free to move
// on. Linux does put it there after a pause of the process, for milliseconds and while other cores idle.
void move_away(pthread_t thread) {
    cpu_set_t allowed;
    const int here = sched_getcpu();
    if (here < 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    cpu_set_t others = allowed;
    CPU_CLR(here, &others);
    if (CPU_COUNT(&others) == 0) return;
    // A thread that runs elsewhere already is not touched by the first call, and the second one frees it in any case.
    if (pthread_setaffinity_np(thread, sizeof others, &others) == 0)
        pthread_setaffinity_np(thread, sizeof allowed, &allowed);
}

class Worker {
public:
    Worker() {
        std::thread thread([this] { live(); });
        handle_ = thread.native_handle();
        thread.detach();
    }
    void offer(void (*work)(const void*), const void* context) {
        work_ = work;
        context_ = context;
        state_.store(State::offered, std::memory_order_release);
        state_.notify_all();
        move_away(handle_);
    }
    bool call_off() {
        State offered = State::offered;
        return state_.compare_exchange_strong(offered, State::idle, std::memory_order_acq_rel);
    }
    // What the work threw, if anything.
    std::exception_ptr wait() {
        for (int k = 0; k < glances; ++k)
            if (state_.load(std::memory_order_acquire) == State::idle) return std::move(thrown_);
        for (State now; (now = state_.load(std::memory_order_acquire)) != State::idle;) state_.wait(now);
        return std::move(thrown_);
    }

private:
    enum class State : unsigned { idle, offered, working };

    [[noreturn]] void live() {
        for (;;) {
            State now = State::offered;
            if (!state_.compare_exchange_strong(now, State::working, std::memory_order_acq_rel)) {
                state_.wait(now, std::memory_order_relaxed);
                continue;
            }
            try {
                work_(context_);
            } catch (...) {
                thrown_ = std::current_exception();
            }
            state_.store(State::idle, std::memory_order_release);
            state_.notify_all();
        }
    }

    std::atomic<State> state_{State::idle};
    void (*work_)(const void*) = nullptr;
    const void* context_ = nullptr;
    std::exception_ptr thrown_;
    pthread_t handle_{};
};

// Threads begin with every signal blocked: those of the process are for the threads that its program made.
class SignalsBlocked {
public:
#ifdef __wasm__
    SignalsBlocked() = default;
#else
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t before_{};
#endif
};

class Quarters {
public:
    // As many idle threads as are wanted, or as can be had.
    std::vector<Worker*> take(std::size_t wanted) {
        std::vector<Worker*> taken;
        taken.reserve(wanted);
        const std::scoped_lock lock(guard_);
        idle_.reserve(made_ + wanted);  // so that giving back needs no memory; before any is taken, lest it be lost
        while (taken.size() < wanted && !idle_.empty()) {
            taken.push_back(idle_.back());
            idle_.pop_back();
        }
        if (taken.size() == wanted) return taken;
        const SignalsBlocked blocked;
        try {
            for (; taken.size() < wanted; ++made_) taken.push_back(new Worker);  // its thread never ends
        } catch (const std::exception&) {
            return taken;  // no more threads in this process, or no memory for one: fewer will do
        }
        return taken;
    }
    void give_back(const std::vector<Worker*>& workers) {
        const std::scoped_lock lock(guard_);
        for (Worker* each : workers) idle_.push_back(each);
    }

private:
    std::mutex guard_;
    std::vector<Worker*> idle_;
    std::size_t made_ = 0;
};

// A forked child has none of its parent's threads, and what they held is lost: it begins with new quarters.
std::atomic<Quarters*> quarters{nullptr};

Quarters& our_quarters() {
    Quarters* here = quarters.load(std::memory_order_acquire);
    if (here != nullptr) return *here;
#ifndef __wasm__
    static const int told = pthread_atfork(nullptr, nullptr, [] { quarters.store(nullptr); });
    (void)told;
#endif
    auto* made = new Quarters;
    if (quarters.compare_exchange_strong(here, made, std::memory_order_acq_rel)) return *made;
    delete made;
    return *here;
}

// What the crew has begun is waited for however the caller's own share ends.
class Watch {
public:
    Watch(Quarters& quarters, std::vector<Worker*> workers, Crew crew)
        : quarters_(quarters), workers_(std::move(workers)), crew_(crew) {}
    ~Watch() { (void)end(); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    const std::vector<Worker*>& workers() const { return workers_; }
    std::exception_ptr end() noexcept {
        std::exception_ptr thrown;
        for (Worker* each : workers_) {
            if (crew_ == Crew::whoever_comes && each->call_off()) continue;
            if (auto one = each->wait()) thrown = std::move(one);
        }
        quarters_.give_back(workers_);
        workers_.clear();
        return thrown;
    }

private:
    Quarters& quarters_;
    std::vector<Worker*> workers_;
    Crew crew_;
};

}  // namespace

void crew_work(std::size_t count, Crew crew, void (*work)(const void*), const void* context) {
    if (count <= 1) return work(context);
    Quarters& here = our_quarters();
    Watch watch(here, here.take(count - 1), crew);
    for (Worker* each : watch.workers()) each->offer(work, context);
    work(context);
    if (crew == Crew::everyone)
        for (std::size_t missing = watch.workers().size() + 1; missing < count; ++missing) work(context);
    if (auto thrown = watch.end()) std::rethrow_exception(thrown);
}

}  // namespace suffice
