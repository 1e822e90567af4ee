// Special functions against mpmath's values with 60 digits.
#include "suffice/math/special.hpp"

#include <functional>
#include <limits>

#include "math/golden.hpp"
#include <gtest/gtest.h>

namespace suffice {
namespace {

using testing::expect_close;
using testing::number;

struct Subject {
    std::function<double(double, double, double)> call;
    double relative = 1e-12;
    double absolute_near_zero = 0;  // where the function passes through 0 no relative error is possible
};

const std::map<std::string, Subject>& subjects() {
    static const std::map<std::string, Subject> all = {
        {"log_gamma", {[](double a, double, double) { return log_gamma(a); }, 1e-13, 1e-16}},
        {"digamma", {[](double a, double, double) { return digamma(a); }, 1e-13, 1e-15}},
        {"trigamma", {[](double a, double, double) { return trigamma(a); }, 1e-13}},
        {"log_beta", {[](double a, double b, double) { return log_beta(a, b); }, 1e-13, 1e-15}},
        {"multivariate_log_gamma",
         {[](double a, double b, double) { return multivariate_log_gamma(static_cast<std::size_t>(a), b); }}},
        {"log_factorial",
         {[](double a, double, double) { return log_factorial(static_cast<std::uint64_t>(a)); }, 1e-14}},
        {"stirling_correction", {[](double a, double, double) { return stirling_correction(a); }, 1e-13, 1e-14}},
        {"poisson_deviance", {[](double a, double b, double) { return poisson_deviance(a, b); }}},
        {"incomplete_beta", {[](double a, double b, double c) { return incomplete_beta(a, b, c); }}},
        {"incomplete_beta_complement",
         {[](double a, double b, double c) { return incomplete_beta_complement(a, b, c); }}},
        {"incomplete_gamma", {[](double a, double b, double) { return incomplete_gamma(a, b); }}},
        {"incomplete_gamma_complement", {[](double a, double b, double) { return incomplete_gamma_complement(a, b); }}},
        {"beta_quantile", {[](double a, double b, double c) { return beta_quantile(a, b, c); }}},
        {"gamma_quantile", {[](double a, double b, double) { return gamma_quantile(a, b); }}},
        {"student_t_cdf", {[](double a, double b, double) { return student_t_cdf(a, b); }}},
        {"student_t_quantile", {[](double a, double b, double) { return student_t_quantile(a, b); }}},
        {"normal_quantile", {[](double a, double, double) { return normal_quantile(a); }, 1e-15}},
    };
    return all;
}

TEST(Special, EveryFunctionAgreesWithMpmath) {
    std::map<std::string, int> seen;
    for (const auto& row : testing::read_golden("math_special.csv")) {
        const Subject& subject = subjects().at(row.at("function"));
        const double a = number(row, "a"), b = number(row, "b"), c = number(row, "c");
        const double expected = number(row, "value");
        const double value = subject.call(a, b, c);
        ++seen[row.at("function")];
        if (std::abs(value - expected) <= subject.absolute_near_zero) continue;
        expect_close(value, expected, subject.relative,
                     row.at("function") + "(" + row.at("a") + ", " + row.at("b") + ", " + row.at("c") + ")");
    }
    EXPECT_EQ(seen.size(), subjects().size());
}

TEST(Special, ArgumentsOutsideOfTheDomainGiveNaN) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double value :
         {digamma(0), digamma(-3), trigamma(-1), digamma(nan), log_beta(-1, 2), log_beta(nan, 2),
          multivariate_log_gamma(3, 1), incomplete_beta(-1, 1, 0.5), incomplete_beta(1, 1, 1.5), incomplete_gamma(0, 1),
          incomplete_gamma(1, -1), beta_quantile(1, 1, 2), gamma_quantile(-1, 0.5), student_t_quantile(0, 0.5),
          student_t_cdf(-1, 0), normal_quantile(-0.1), normal_quantile(nan)}) {
        EXPECT_TRUE(std::isnan(value)) << value;
    }
}

TEST(Special, EndsOfTheDomainAreLimits) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(log_gamma(0), infinity);
    EXPECT_EQ(log_gamma(infinity), infinity);
    EXPECT_EQ(digamma(infinity), infinity);
    EXPECT_EQ(trigamma(infinity), 0);
    EXPECT_EQ(log_beta(0, 3), infinity);
    EXPECT_EQ(incomplete_gamma(2, infinity), 1);
    EXPECT_EQ(gamma_quantile(2, 1), infinity);
    EXPECT_EQ(gamma_quantile(2, 0), 0);
    EXPECT_EQ(beta_quantile(2, 3, 0), 0);
    EXPECT_EQ(beta_quantile(2, 3, 1), 1);
    EXPECT_EQ(student_t_quantile(4, 1), infinity);
    EXPECT_EQ(normal_quantile(0), -infinity);
    EXPECT_EQ(normal_quantile(1), infinity);
    EXPECT_EQ(multivariate_log_gamma(0, 1), 0);
}

TEST(Special, QuantilesInvertTheirDistributionFunctions) {
    for (const double p : {1e-8, 0.01, 0.37, 0.5, 0.93}) {
        expect_close(incomplete_beta(0.7, 4.2, beta_quantile(0.7, 4.2, p)), p, 1e-12, "beta");
        expect_close(incomplete_gamma(3.3, gamma_quantile(3.3, p)), p, 1e-12, "gamma");
        expect_close(student_t_cdf(6.5, student_t_quantile(6.5, p)), p, 1e-12, "student t");
    }
}

TEST(Special, ExtremeParametersNeitherThrowNorLeaveTheRange) {
    const double sizes[] = {1e-15, 1e-6, 1e-3, 1.0, 77.7, 1e6, 1e10, 1e15};
    const double probabilities[] = {0.0, 1e-300, 1e-100, 1e-9, 0.2, 0.5, 0.9, 1 - 1e-16, 1.0};
    for (const double a : sizes) {
        for (const double b : sizes) {
            EXPECT_FALSE(std::isnan(log_beta(a, b))) << a << " " << b;
            for (const double p : probabilities) {
                const double share = incomplete_beta(a, b, p), quantile = beta_quantile(a, b, p);
                EXPECT_TRUE(share >= 0 && share <= 1) << "I(" << a << ", " << b << ", " << p << ") = " << share;
                EXPECT_TRUE(quantile >= 0 && quantile <= 1) << "Beta " << a << " " << b << " " << p << ": " << quantile;
            }
        }
        for (const double p : probabilities) {
            const double share = incomplete_gamma(a, p * a), quantile = gamma_quantile(a, p);
            EXPECT_TRUE(share >= 0 && share <= 1) << "P(" << a << ", " << p * a << ") = " << share;
            EXPECT_TRUE(quantile >= 0) << "Gamma " << a << " " << p << ": " << quantile;
            EXPECT_FALSE(std::isnan(student_t_quantile(a, p))) << a << " " << p;
        }
        EXPECT_FALSE(std::isnan(digamma(a)) || std::isnan(trigamma(a)) || std::isnan(log_gamma(a)));
    }
}

}  // namespace
}  // namespace suffice
