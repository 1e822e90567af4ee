// The sigmoid, the probit and their kin against mpmath and at the extremes.
#include "suffice/math/sigmoid.hpp"

#include <array>
#include <limits>

#include "math/golden.hpp"
#include <gtest/gtest.h>

#include "suffice/math/log_sum_exp.hpp"

namespace suffice {
namespace {

using testing::expect_close;
using testing::number;

TEST(Sigmoid, AgreesWithMpmath) {
    for (const auto& row : testing::read_golden("math_sigmoid.csv")) {
        const double a = number(row, "a");
        expect_close(sigmoid(a), number(row, "sigmoid"), 1e-15, "sigmoid at " + row.at("a"));
        expect_close(sigmoid_derivative(a), number(row, "derivative"), 1e-15, "derivative at " + row.at("a"));
        expect_close(sigmoid_second_derivative(a), number(row, "second_derivative"), 2e-15, "second at " + row.at("a"));
        expect_close(log1p_exp(a), number(row, "log1p_exp"), 1e-15, "log1p_exp at " + row.at("a"));
        expect_close(probit(a), number(row, "probit"), 1e-12, "probit at " + row.at("a"));
        expect_close(scaled_probit(a), number(row, "scaled_probit"), 1e-12, "scaled_probit at " + row.at("a"));
    }
}

TEST(Sigmoid, IsExactAtTheExtremes) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double a : {745.0, 1e4, infinity}) {
        EXPECT_EQ(sigmoid(a), 1);
        EXPECT_EQ(sigmoid(-a), a == 745 ? std::exp(-745.0) : 0.0);
        EXPECT_EQ(log1p_exp(a), a);
        EXPECT_EQ(log_sigmoid(-a), -a);
        EXPECT_EQ(probit(a), 1);
        EXPECT_EQ(probit(-a), 0);
        EXPECT_GE(sigmoid_derivative(a), 0);
        EXPECT_TRUE(std::isfinite(sigmoid_second_derivative(-a)));
        const float b = static_cast<float>(a);
        EXPECT_EQ(sigmoid(b), 1.0f);
        EXPECT_EQ(sigmoid(-b), 0.0f);
        EXPECT_EQ(log1p_exp(b), b);
    }
    EXPECT_TRUE(std::isnan(sigmoid(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Sigmoid, DerivativeInFloatIsPositiveWhereverSigmaOfMinusAIsNormal) {
    const float limit = 126 * std::numbers::ln2_v<float>;
    for (int step = -1000; step <= 1000; ++step) {
        const float a = limit * static_cast<float>(step) / 1000;
        EXPECT_GT(sigmoid_derivative(a), 0.0f) << "at a = " << a;
    }
    const float a = 30;
    EXPECT_EQ(sigmoid(a) * (1 - sigmoid(a)), 0.0f) << "the form that is not used";
}

TEST(Sigmoid, OfADifferenceIsTheSoftmaxOfTwo) {
    for (const auto& [first, second] :
         {std::pair{0.0, 0.0}, {3.0, -1.0}, {-800.0, 20.0}, {1e4, 1e4 + 2}, {500.0, -500.0}}) {
        std::array<double, 2> terms = {first, second};
        softmax(terms);
        expect_close(terms[0], sigmoid(first - second), 1e-15, "first share");
        expect_close(terms[1], sigmoid(second - first), 1e-15, "second share");
        std::array<float, 2> narrow = {static_cast<float>(first), static_cast<float>(second)};
        softmax(narrow);
        EXPECT_NEAR(narrow[0], sigmoid(static_cast<float>(first) - static_cast<float>(second)), 1e-6f);
    }
}

TEST(Sigmoid, SecondDerivativeIsOddAndTheFirstEven) {
    for (const double a : {0.0, 1e-12, 0.5, 3.0, 90.0}) {
        EXPECT_EQ(sigmoid_derivative(a), sigmoid_derivative(-a));
        EXPECT_EQ(sigmoid_second_derivative(a), -sigmoid_second_derivative(-a));
    }
}

TEST(Sigmoid, DerivativesAreThoseOfFiniteDifferences) {
    const double h = 1e-5;
    for (const double a : {-4.0, -0.7, 0.0, 1.3, 6.0}) {
        EXPECT_NEAR((sigmoid(a + h) - sigmoid(a - h)) / (2 * h), sigmoid_derivative(a), 1e-10);
        EXPECT_NEAR((sigmoid_derivative(a + h) - sigmoid_derivative(a - h)) / (2 * h), sigmoid_second_derivative(a),
                    1e-10);
        EXPECT_NEAR((log1p_exp(a + h) - log1p_exp(a - h)) / (2 * h), sigmoid(a), 1e-10);
    }
}

TEST(Logit, AgreesWithMpmathAndInvertsTheSigmoid) {
    for (const auto& row : testing::read_golden("math_logit.csv")) {
        expect_close(logit(number(row, "p")), number(row, "logit"), 1e-15, "logit of " + row.at("p"));
    }
    for (const double a : {-700.0, -30.0, -0.1, 0.0, 2.0, 15.0}) EXPECT_NEAR(logit(sigmoid(a)), a, 1e-9);
    EXPECT_EQ(logit(0.0), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(logit(1.0), std::numeric_limits<double>::infinity());
    EXPECT_NEAR(logit(sigmoid(1.5f)), 1.5f, 1e-6f);
}

TEST(Probit, IsInvertedByItsInverse) {
    for (const double a : {-37.0, -8.0, -1.6, -0.3, 0.0, 0.9, 4.0}) EXPECT_NEAR(inverse_probit(probit(a)), a, 1e-10);
    EXPECT_NEAR(inverse_probit(probit(1.25f)), 1.25f, 1e-6f);
}

TEST(Probit, ScaledHasTheSlopeOfTheSigmoidAtZeroAndStaysNearIt) {
    const double h = 1e-6;
    EXPECT_NEAR((scaled_probit(h) - scaled_probit(-h)) / (2 * h), 0.25, 1e-9);
    for (double a = -8; a <= 8; a += 0.25) EXPECT_NEAR(scaled_probit(a), sigmoid(a), 0.02);
    EXPECT_NEAR(scaled_probit(0.5f), static_cast<float>(scaled_probit(0.5)), 1e-7f);
}

}  // namespace
}  // namespace suffice
