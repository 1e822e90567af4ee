// Log-sum-exp and softmax against mpmath, with infinities, empty ranges and float.
#include "suffice/math/log_sum_exp.hpp"

#include <limits>
#include <span>
#include <vector>

#include "math/golden.hpp"
#include <gtest/gtest.h>

#include "suffice/base/limits.hpp"

namespace suffice {
namespace {

using testing::expect_close;
using testing::number;

TEST(LogSumExp, AgreesWithMpmath) {
    const auto rows = testing::read_golden("math_log_sum_exp.csv");
    for (std::size_t at = 0; at < rows.size();) {
        std::vector<double> terms;
        const std::size_t begin = at;
        for (; at < rows.size() && rows[at].at("case") == rows[begin].at("case"); ++at) {
            terms.push_back(number(rows[at], "term"));
        }
        const std::string what = "case " + rows[begin].at("case");
        expect_close(log_sum_exp(terms), number(rows[begin], "log_sum_exp"), 1e-14, what);
        std::vector<double> logs = terms, shares = terms;
        expect_close(log_softmax(logs), number(rows[begin], "log_sum_exp"), 1e-14, what);
        normalize_exp(shares);
        double total = 0;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            expect_close(logs[i], number(rows[begin + i], "log_softmax"), 1e-13, what + ", log softmax");
            expect_close(shares[i], number(rows[begin + i], "softmax"), 1e-12, what + ", softmax");
            total += shares[i];
        }
        EXPECT_NEAR(total, 1, 1e-15 * static_cast<double>(terms.size()));
    }
}

TEST(LogSumExp, OfNothingIsMinusInfinity) { EXPECT_EQ(log_sum_exp(std::vector<double>{}), -infinity); }

TEST(LogSumExp, TermsOfWeightZeroDoNotCount) {
    std::vector<double> terms = {-infinity, 2.0, -infinity, 2.0};
    EXPECT_DOUBLE_EQ(log_sum_exp(terms), 2 + std::log(2.0));
    normalize_exp(terms);
    EXPECT_EQ(terms, (std::vector<double>{0, 0.5, 0, 0.5}));
}

TEST(LogSumExp, WhereEveryTermIsMinusInfinityTheSharesAreEqual) {
    std::vector<double> terms(4, -infinity), logs(4, -infinity);
    EXPECT_EQ(normalize_exp(terms), -infinity);
    EXPECT_EQ(terms, std::vector<double>(4, 0.25));
    EXPECT_EQ(log_softmax(logs), -infinity);
    for (const double value : logs) EXPECT_DOUBLE_EQ(value, std::log(0.25));
}

TEST(LogSumExp, PlusInfinityTakesTheWhole) {
    std::vector<double> terms = {infinity, 1e300, infinity, -infinity};
    EXPECT_EQ(normalize_exp(terms), infinity);
    EXPECT_EQ(terms, (std::vector<double>{0.5, 0, 0.5, 0}));
}

TEST(LogSumExp, NaNIsNotHidden) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(log_sum_exp(std::vector<double>{nan, 1})));
    EXPECT_TRUE(std::isnan(log_sum_exp(std::vector<double>{1, nan, 2})));
}

TEST(LogSumExp, WorksOnSpansOfFloat) {
    std::vector<float> terms = {88, 89, -200};
    EXPECT_NEAR(log_sum_exp(std::span<const float>(terms)), 89.313262f, 1e-5f);
    softmax(std::span<float>(terms));
    EXPECT_NEAR(terms[0] + terms[1] + terms[2], 1, 1e-6f);
    EXPECT_NEAR(terms[1], 0.7310586f, 1e-6f);
}

}  // namespace
}  // namespace suffice
