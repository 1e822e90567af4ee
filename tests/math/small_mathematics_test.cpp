// Line search, golden sections, bisection, criteria and bounds: each held to a closed form.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "suffice/math/golden_section.hpp"
#include "suffice/math/information_criteria.hpp"
#include "suffice/math/line_search.hpp"
#include "suffice/math/newton.hpp"
#include "suffice/math/sequential.hpp"
#include "suffice/math/softmax_jacobian.hpp"

namespace suffice {
namespace {

TEST(LineSearch, TakesTheFirstStepThatFallsEnough) {
    // x^2 from x = 1 along a step of -8: lengths 1, 1/2 and 1/4 do not lower it, 1/8 ends at the minimum.
    std::vector<double> tried;
    const auto attempt = [&](double length) -> Result<double> {
        tried.push_back(length);
        return std::pow(1 - 8 * length, 2);
    };
    EXPECT_TRUE(halve_until_it_falls({1, 16, 0}, attempt).value());
    EXPECT_EQ(tried, (std::vector<double>{1, 0.5, 0.25, 0.125}));
    const auto rising = [](double length) -> Result<double> { return 1 + length; };
    EXPECT_FALSE(halve_until_it_falls({1, 1, 0}, rising).value());
    const auto outside = [](double length) -> Result<double> { return length > 0.3 ? NAN : 0.5; };
    EXPECT_TRUE(halve_until_it_falls({1, 1, 0}, outside).value());
    const auto failing = [](double) -> Result<double> { return Error("no"); };
    EXPECT_FALSE(halve_until_it_falls({1, 1, 0}, failing));
}

TEST(GoldenSection, FindsThePeakAndPassesErrorsOn) {
    const auto gain = [](double x) -> Result<double> { return -std::pow(x - 0.3, 2); };
    EXPECT_NEAR(golden_section(gain, -1, 2, 1e-6).value(), 0.3, 1e-6);
    EXPECT_NEAR(golden_section([](double x) -> Result<double> { return x; }, 0, 1, 1e-6).value(), 1, 1e-6);
    const auto failing = [](double x) -> Result<double> {
        if (x < 0.2) return Error("no");
        return -x;
    };
    EXPECT_FALSE(golden_section(failing, 0, 1, 1e-6));
}

TEST(FindRootBetween, HalvesToTheLastDigitWhereverTheFunctionRisesOrFalls) {
    EXPECT_NEAR(find_root_between([](double x) { return x * x - 2; }, 0, 2), std::numbers::sqrt2, 1e-14);
    EXPECT_NEAR(find_root_between([](double x) { return 2 - x * x; }, 0, 2), std::numbers::sqrt2, 1e-14);
    EXPECT_NEAR(find_root_between([](double x) { return x + 3; }, -7, -1), -3, 1e-13);
}

TEST(Criteria, SetTheLikelihoodAgainstItsParameters) {
    EXPECT_DOUBLE_EQ(bayesian_criterion(-10, 3, std::exp(2.0)), 26);
    EXPECT_DOUBLE_EQ(akaike_criterion(-10, 3), 26);
}

TEST(Hoeffding, IsTwoSidedAndAProbability) {
    EXPECT_DOUBLE_EQ(hoeffding_bound(1000, 0.05), 2 * std::exp(-5.0));
    EXPECT_EQ(hoeffding_bound(1, 0.1), 1);
    EXPECT_EQ(hoeffding_bound(0, INFINITY), 1);
    EXPECT_TRUE(std::isnan(hoeffding_bound(-1, 0.1)));
}

TEST(RobbinsMonro, IsTheRunningMeanFromAnyStart) {
    const std::vector<double> values{2, 4, 9};
    EXPECT_EQ(robbins_monro_path(values, 100), (std::vector<double>{2, 3, 5}));
    EXPECT_EQ(robbins_monro_path(values, 0), (std::vector<double>{2, 3, 5}));
}

TEST(SoftmaxJacobian, KeepsTheDigitsOfTheDiagonal) {
    const auto jacobian = softmax_jacobian({40, 0});
    const double small = 1 / (1 + std::exp(40.0));
    EXPECT_NEAR(jacobian[0] / (small * (1 - small)), 1, 1e-14);
    EXPECT_DOUBLE_EQ(jacobian[1], -jacobian[0]);
}

}  // namespace
}  // namespace suffice
