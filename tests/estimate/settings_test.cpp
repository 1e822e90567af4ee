// Settings that no one can choose, but that a damaged file may hold.
#include "suffice/estimate/settings.hpp"

#include <gtest/gtest.h>

namespace suffice {
namespace {

TEST(Settings, ValuesThatAreNoneOfTheChoicesAreRefused) {  // names are looked up by them
    EXPECT_TRUE(Settings{}.check());
    Settings last;
    last.estimate = Estimate::predictive;
    last.shrinkage = ShrinkageRule::automatic;
    last.points.bandwidth = BandwidthRule::cross_validated;
    EXPECT_TRUE(last.check());
    Settings estimate, kernel;
    estimate.estimate = static_cast<Estimate>(5);
    kernel.points.kernel = static_cast<KernelShape>(6);
    EXPECT_FALSE(estimate.check());
    EXPECT_FALSE(kernel.check());
}

}  // namespace
}  // namespace suffice
