// Work on several threads at once: each does it once, and no thread stays tied to a core.
#include "suffice/base/together.hpp"

#include <atomic>
#include <mutex>
#include <sched.h>
#include <set>
#include <thread>

#include <gtest/gtest.h>

namespace suffice {
namespace {

TEST(Together, DoesTheWorkOnceOnEachThreadAndTheCallerIsOneOfThem) {
    for (const std::size_t count : {1, 2, 3, 7}) {
        std::mutex guard;
        std::multiset<std::thread::id> seen;
        together(count, [&] {
            const std::scoped_lock lock(guard);
            seen.insert(std::this_thread::get_id());
        });
        EXPECT_EQ(seen.size(), count);
        EXPECT_EQ(seen.count(std::this_thread::get_id()), 1u);
    }
}

TEST(Together, ZeroThreadsAreTheCallerAlone) {
    std::atomic<int> calls{0};
    together(0, [&] { ++calls; });
    EXPECT_EQ(calls, 1);
}

TEST(Together, LeavesTheCallerFreeToUseEveryCoreItHadBefore) {
    cpu_set_t before, after;
    ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    for (int round = 0; round < 20; ++round) together(3, [] {});  // so short that some end before they are moved
    ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
    EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

}  // namespace
}  // namespace suffice
