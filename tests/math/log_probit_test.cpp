// log Phi against SciPy's log_ndtr, and its slope against differences.
#include "suffice/math/log_probit.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace suffice {
namespace {

TEST(LogProbit, HasTheValuesOfScipy) {
    const double golden[][2] = {
        {-10000.0, -50000010.129278921}, {-100.0, -5005.5242086942053}, {-38.5, -745.69527029041126},
        {-30.5, -469.46273732291212},    {-29.5, -439.4294746091503},   {-10.0, -53.231285150512477},
        {-2.0, -3.7831843336820317},     {-0.5, -1.1759117615936188},   {0.0, -0.69314718055994529},
        {0.5, -0.36894641528865635},     {3.0, -0.0013508099647481925}, {8.0, -6.2209605742717425e-16},
        {20.0, -2.7536241186061556e-89},
    };
    for (const auto& [a, value] : golden) {
        const double tail = a > 0 ? 1 + a * a : 1;  // of the upper tail, which is exp(-a^2 / 2): a itself is rounded
        EXPECT_NEAR(log_probit(a), value, 4e-15 * tail * std::abs(value)) << a;
    }
}

TEST(LogProbit, ItsSlopeIsTheDifferenceOfItsValues) {
    for (double a : {-60.0, -30.1, -29.9, -5.0, -0.3, 0.0, 1.0, 6.0}) {
        const double step = 1e-5, difference = (log_probit(a + step) - log_probit(a - step)) / (2 * step);
        EXPECT_NEAR(log_probit_slope(a), difference, 1e-6 * std::abs(difference) + 1e-9) << a;
    }
}

}  // namespace
}  // namespace suffice
