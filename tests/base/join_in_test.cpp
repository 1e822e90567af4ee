// Threads that come in time take part; the others are not waited for and never see the work.
#include "suffice/base/join_in.hpp"

#include <gtest/gtest.h>

namespace suffice {
namespace {

TEST(JoinIn, EveryPieceIsDoneOnceByAnyNumberOfThreads) {
    for (const std::size_t count : {0u, 1u, 2u, 7u})
        for (int turn = 0; turn < 50; ++turn) {
            std::vector<int> times(100);
            std::atomic<std::size_t> next{0};
            join_in(count, [&] {
                for (std::size_t at; (at = next.fetch_add(1)) < times.size();) ++times[at];
            });
            EXPECT_EQ(times, std::vector<int>(100, 1)) << count;
        }
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

}  // namespace
}  // namespace suffice
