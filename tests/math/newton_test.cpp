// Roots and minima with known answers, from starts where the plain Newton step fails.
#include "suffice/math/newton.hpp"

#include <array>
#include <numbers>

#include <gtest/gtest.h>

#include "suffice/base/limits.hpp"
#include "suffice/math/special.hpp"

namespace suffice {
namespace {

TEST(FindRoot, ConvergesWhereThePlainStepDiverges) {
    const auto arctangent = [](double x) { return ValueAndSlope{std::atan(x - 1), 1 / (1 + (x - 1) * (x - 1))}; };
    for (const double start : {-200.0, 0.0, 3.0, 1e5}) {
        const Root root = find_root(arctangent, -infinity, infinity, start);
        EXPECT_TRUE(root.converged);
        EXPECT_NEAR(root.x, 1, 1e-13);
    }
}

TEST(FindRoot, TakesDecreasingFunctionsAndHalfOpenBrackets) {
    // log k - digamma(k) = s, the likelihood equation of the gamma family: decreasing on (0, inf).
    for (const double shape : {1e-3, 0.2, 1.0, 30.0, 1e6}) {
        const double s = std::log(shape) - digamma(shape);
        const auto equation = [&](double k) {
            return ValueAndSlope{std::log(k) - digamma(k) - s, 1 / k - trigamma(k)};
        };
        for (const double start : {1e-2, 1.0, 500.0}) {
            const Root root = find_root(equation, 0, infinity, start);
            EXPECT_TRUE(root.converged) << "shape " << shape << " from " << start;
            EXPECT_NEAR(root.x, shape, 1e-8 * shape);  // log k - digamma(k) itself loses digits for a large k
        }
    }
}

TEST(FindRoot, FallsBackToBisectionWhereTheSlopeLies) {
    const auto cubic = [](double x) { return ValueAndSlope{x * x * x - 2, 0}; };
    const Root root = find_root(cubic, 0, 10, 5);
    EXPECT_TRUE(root.converged);
    EXPECT_NEAR(root.x, std::cbrt(2), 1e-12);
}

TEST(FindRoot, ReportsAFunctionThatIsNaN) {
    const auto nothing = [](double) { return ValueAndSlope{std::numeric_limits<double>::quiet_NaN(), 1}; };
    EXPECT_FALSE(find_root(nothing, 0, 1, 0.5).converged);
}

TEST(Minimize, FindsTheMinimumOfAQuadraticInOneStep) {
    const auto bowl = [](std::span<const double> x, std::span<double> gradient, std::span<double> hessian) {
        const double u = x[0] - 3, v = x[1] + 1;
        gradient[0] = 4 * u + v;
        gradient[1] = u + 2 * v;
        hessian[0] = 4, hessian[2] = 1, hessian[3] = 2;
        return 2 * u * u + u * v + v * v;
    };
    std::array<double, 2> x = {100, -50};
    const Minimum minimum = minimize(bowl, x);
    EXPECT_TRUE(minimum.converged);
    EXPECT_LE(minimum.iterations, 3);
    EXPECT_NEAR(x[0], 3, 1e-12);
    EXPECT_NEAR(x[1], -1, 1e-12);
}

TEST(Minimize, CrossesRosenbrocksValleyWhereTheHessianIsIndefinite) {
    const auto rosenbrock = [](std::span<const double> x, std::span<double> gradient, std::span<double> hessian) {
        const double a = 1 - x[0], b = x[1] - x[0] * x[0];
        gradient[0] = -2 * a - 400 * x[0] * b;
        gradient[1] = 200 * b;
        hessian[0] = 2 - 400 * b + 800 * x[0] * x[0];
        hessian[2] = -400 * x[0];
        hessian[3] = 200;
        return a * a + 100 * b * b;
    };
    for (const std::array<double, 2> start : {std::array{-1.2, 1.0}, {0.0, 5.0}, {-3.0, -4.0}}) {
        std::array<double, 2> x = start;
        EXPECT_TRUE(minimize(rosenbrock, x).converged);
        EXPECT_NEAR(x[0], 1, 1e-9);
        EXPECT_NEAR(x[1], 1, 1e-9);
    }
}

TEST(Minimize, StaysInsideTheDomainOfABetaLikelihood) {
    // -log likelihood per row of Beta(a, b) whose mean log x and mean log (1 - x) are those of Beta(0.3, 7).
    const double first = digamma(0.3) - digamma(7.3), second = digamma(7) - digamma(7.3);
    const auto loss = [&](std::span<const double> x, std::span<double> gradient, std::span<double> hessian) {
        if (!(x[0] > 0 && x[1] > 0)) return std::numeric_limits<double>::quiet_NaN();
        const double both = digamma(x[0] + x[1]), curvature = trigamma(x[0] + x[1]);
        gradient[0] = digamma(x[0]) - both - first;
        gradient[1] = digamma(x[1]) - both - second;
        hessian[0] = trigamma(x[0]) - curvature;
        hessian[2] = -curvature;
        hessian[3] = trigamma(x[1]) - curvature;
        return log_beta(x[0], x[1]) - x[0] * first - x[1] * second;
    };
    std::array<double, 2> x = {20, 0.5};
    EXPECT_TRUE(minimize(loss, x).converged);
    EXPECT_NEAR(x[0], 0.3, 1e-12);
    EXPECT_NEAR(x[1], 7, 1e-11);
}

TEST(Minimize, ReportsAStartOutsideOfTheDomain) {
    const auto nothing = [](std::span<const double>, std::span<double>, std::span<double>) { return infinity; };
    std::array<double, 1> x = {1};
    EXPECT_FALSE(minimize(nothing, x).converged);
}

}  // namespace
}  // namespace suffice
