// Threads that come in time take part; the others are not waited for and never see the work. They are kept for the next
// time.
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "suffice/base/together.hpp"

namespace suffice {
namespace {

std::vector<int> pieces_done(std::size_t threads) {
    std::vector<int> times(100);
    std::atomic<std::size_t> next{0};
    join_in(threads, [&] {
        for (std::size_t at; (at = next.fetch_add(1)) < times.size();) ++times[at];
    });
    return times;
}

TEST(JoinIn, EveryPieceIsDoneOnceByAnyNumberOfThreads) {
    for (const std::size_t count : {0u, 1u, 2u, 7u})
        for (int turn = 0; turn < 50; ++turn) EXPECT_EQ(pieces_done(count), std::vector<int>(100, 1)) << count;
}

TEST(JoinIn, WhoHasBegunIsWaitedFor) {
    std::atomic<int> begun{0}, done{0};
    std::atomic<bool> open{false};
    join_in(3, [&] {
        if (++begun == 3) open = true;
        while (!open) std::this_thread::yield();  // all three are here
        ++done;
    });
    EXPECT_EQ(done, 3);
}

TEST(Crew, ThreadsAreKeptForTheNextCall) {
    std::mutex guard;
    std::set<std::thread::id> seen;
    for (int turn = 0; turn < 100; ++turn)
        together(3, [&] {
            const std::scoped_lock lock(guard);
            seen.insert(std::this_thread::get_id());
        });
    EXPECT_LE(seen.size(), 10u);  // other tests may have left some; never two new ones a turn
}

TEST(Crew, CallersAtOnceAndCallsWithinCallsHaveThreadsOfTheirOwn) {
    std::atomic<int> done{0};
    together(4, [&] {
        for (int turn = 0; turn < 20; ++turn) together(3, [&] { ++done; });
    });
    EXPECT_EQ(done, 4 * 20 * 3);
}

TEST(Crew, WhatAThreadThrowsIsThrownToTheCallerOnceAllHaveEnded) {
    const auto here = std::this_thread::get_id();
    std::atomic<int> done{0};
    EXPECT_THROW(together(3,
                          [&] {
                              ++done;
                              if (std::this_thread::get_id() != here) throw std::runtime_error("no");
                          }),
                 std::runtime_error);
    EXPECT_EQ(done, 3);
    EXPECT_THROW(together(3, [] { throw std::runtime_error("no"); }), std::runtime_error);
    EXPECT_EQ(pieces_done(3), std::vector<int>(100, 1));
}

#ifndef __SANITIZE_THREAD__  // which does not follow a forked process with threads
TEST(Crew, AForkedChildMakesItsOwnThreads) {
    std::atomic<int> before{0};
    together(3, [&] { ++before; });
    const pid_t child = ::fork();
    if (child == 0) {
        std::atomic<int> done{0};
        together(3, [&] { ++done; });
        ::_exit(done == 3 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    together(3, [&] { ++before; });
    EXPECT_EQ(before, 6);
}
#endif

}  // namespace
}  // namespace suffice
