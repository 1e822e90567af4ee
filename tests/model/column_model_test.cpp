// Rows with holes filled as Bayes' rule and the conditional Gaussian say, in closed form.
#include "suffice/model/column_model.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "suffice/math/log_sum_exp.hpp"

namespace suffice {
namespace {

constexpr double hole = std::numeric_limits<double>::quiet_NaN();

// A category of two levels, seen in the shares 1 : 3, then two numbers around a mean that the second level moves.
ColumnModel small_model() { return {{{0, {0, 1}, {{}, {0, std::log(3)}}}}, {1, 2}, {1, 2, 0.5, -1}, {2, 0.6, 0.6, 1}}; }

struct Expected {
    double second_level = 0, first = 0, second = 0, square = 0;  // means, and that of the first number squared
};

Expected expected(const ColumnModel& model, std::vector<double> row) {
    RowCompletion completion(model);
    CompletedRow ways;
    completion.complete(row, ways);
    normalize_exp(ways.log_weight);
    Expected sum;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const double* x = ways.values.data() + i * 3;
        const double w = ways.log_weight[i];
        sum.second_level += w * x[0];
        sum.first += w * x[1];
        sum.second += w * x[2];
        sum.square += w * x[1] * x[1];
    }
    return sum;
}

TEST(ColumnModel, FillsANumberByItsConditionalGaussian) {
    const Expected found = expected(small_model(), {0, hole, 3});
    EXPECT_NEAR(found.first, 1 + 0.6 * (3 - 2), 1e-12);
    EXPECT_NEAR(found.square - found.first * found.first, 2 - 0.36, 1e-12);
    EXPECT_EQ(found.second, 3);
}

TEST(ColumnModel, FillsACategoryByBayesRule) {
    const ColumnModel model = small_model();
    const double x = 2, y = 1.5, determinant = 2 * 1 - 0.36;
    const auto log_density = [&](double a, double b) {
        return -0.5 * (a * a * 1 - 2 * 0.6 * a * b + b * b * 2) / determinant;
    };
    const double odds = 3 * std::exp(log_density(x - 1.5, y - 1) - log_density(x - 1, y - 2));
    EXPECT_NEAR(expected(model, {hole, x, y}).second_level, odds / (1 + odds), 1e-12);
}

TEST(ColumnModel, FillsEverythingByTheMarginals) {
    const Expected found = expected(small_model(), {hole, hole, hole});
    EXPECT_NEAR(found.second_level, 0.75, 1e-12);
    EXPECT_NEAR(found.first, 1 + 0.75 * 0.5, 1e-12);
    EXPECT_NEAR(found.second, 2 - 0.75, 1e-12);
}

TEST(ColumnModel, DrawsWhereTheWaysAreTooMany) {
    ColumnModel model;
    for (std::uint32_t j = 0; j < 10; ++j) model.number.push_back(j);
    model.mean.assign(10, 4.0);
    model.covariance.assign(100, 0.0);
    for (std::size_t j = 0; j < 10; ++j) model.covariance[j * 11] = 1;
    RowCompletion completion(model);
    CompletedRow ways, again;
    completion.complete(std::vector<double>(10, hole), ways);
    RowCompletion(model).complete(std::vector<double>(10, hole), again);
    EXPECT_EQ(ways.size(), RowCompletion::most_ways);
    EXPECT_EQ(ways.values, again.values) << "equal rows are filled alike";
    double mean = 0;
    for (const double value : ways.values) mean += value / static_cast<double>(ways.values.size());
    EXPECT_NEAR(mean, 4, 0.1);
}

TEST(ColumnModel, RefusesPartsThatDoNotFit) {
    EXPECT_TRUE(small_model().valid(3));
    EXPECT_FALSE(small_model().valid(2));
    ColumnModel other = small_model();
    other.covariance = {1, 2, 2, 1};
    EXPECT_FALSE(other.valid(3)) << "not positive definite";
    other = small_model();
    other.mean.pop_back();
    EXPECT_FALSE(other.valid(3));
}

}  // namespace
}  // namespace suffice
