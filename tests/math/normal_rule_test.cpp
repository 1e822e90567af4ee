// Quadrature against the moments of the standard normal, which are 1, 3, 15, ... in closed form.
#include "suffice/math/normal_rule.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace suffice {
namespace {

TEST(NormalRule, IsExactForPolynomialsUpToTwiceItsNodes) {
    for (const std::size_t count : {1u, 2u, 5u, 16u}) {
        const NormalRule rule = normal_rule(count);
        double moment = 1;
        for (std::size_t degree = 0; degree < 2 * count; degree += 2) {
            if (degree > 0) moment *= static_cast<double>(degree - 1);
            double even = 0, odd = 0;
            for (std::size_t i = 0; i < count; ++i) {
                even += rule.weight[i] * std::pow(rule.at[i], degree);
                odd += rule.weight[i] * std::pow(rule.at[i], degree + 1);
            }
            EXPECT_NEAR(even / moment, 1, 1e-11) << count << " nodes, degree " << degree;
            EXPECT_NEAR(odd / moment, 0, 1e-9) << count << " nodes, degree " << degree + 1;
        }
    }
}

}  // namespace
}  // namespace suffice
