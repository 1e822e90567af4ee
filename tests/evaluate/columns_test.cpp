// Columns beside classes and fitted distributions, against SciPy 1.17.1 and NumPy.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "suffice/evaluate/curves.hpp"
#include "suffice/evaluate/fit_check.hpp"
#include "suffice/evaluate/histogram.hpp"
#include "suffice/evaluate/separation.hpp"

namespace suffice {
namespace {

const std::vector<double> values{4.1, 4.4, 5.0, 5.3, 5.9, 6.2, 6.8, 7.7, 8.1, 9.9};
const std::vector<std::int32_t> labels{0, 0, 0, 1, 1, 1, 1, 2, 2, 2};

std::vector<double> steps(double low, double high, std::size_t count) {
    std::vector<double> all;
    for (std::size_t k = 0; k < count; ++k)
        all.push_back(low + (high - low) * static_cast<double>(k) / static_cast<double>(count - 1));
    return all;
}

TEST(ClassSeparation, IsSciPysFOneway) { EXPECT_NEAR(class_separation(values, labels, 3), 20.47325134511914, 1e-10); }

TEST(ClassSeparation, LeavesOutMissingValuesUnknownLabelsAndAbsentClasses) {
    std::vector<double> more = values;
    std::vector<std::int32_t> codes = labels;
    more.insert(more.end(), {NAN, 100});
    codes.insert(codes.end(), {1, -1});
    EXPECT_NEAR(class_separation(more, codes, 5), 20.47325134511914, 1e-10);
    EXPECT_EQ(class_separation(more, std::vector<std::int32_t>(12, 0), 2), 0);
}

TEST(SortedQuantile, IsNumPys) {
    const std::vector<double> sorted{1, 2, 2.5, 3, 10};
    EXPECT_DOUBLE_EQ(sorted_quantile(sorted, 0.1), 1.4);
    EXPECT_DOUBLE_EQ(sorted_quantile(sorted, 0.25), 2);
    EXPECT_DOUBLE_EQ(sorted_quantile(sorted, 0.9), 7.2);
    EXPECT_DOUBLE_EQ(sorted_quantile(sorted, 1), 10);
}

TEST(ClassHistogram, HoldsEveryRowOnceAndItsDensityIntegratesToOne) {
    const Histogram bins = class_histogram(values, labels, 3);
    for (std::size_t c = 0; c < 3; ++c) {
        double mass = 0;
        for (std::size_t bin = 0; bin < bins.bin_count(); ++bin) mass += bins.density(c, bin) * bins.width;
        EXPECT_NEAR(mass, 1, 1e-12);
    }
    EXPECT_EQ(bins.class_rows(0) + bins.class_rows(1) + bins.class_rows(2), 10);
    EXPECT_LE(bins.low, 4.1);
    EXPECT_GE(bins.edge(bins.bin_count()), 9.9 - 1e-9);
}

TEST(ClassHistogram, CentresBinsOnWholeNumbers) {
    const std::vector<double> whole{0, 1, 1, 2, 5};
    const Histogram bins = class_histogram(whole, std::vector<std::int32_t>(5, 0), 1);
    EXPECT_TRUE(bins.whole);
    EXPECT_EQ(bins.low, -0.5);
    EXPECT_EQ(bins.width, 1);
    EXPECT_EQ(bins.by_class[0], (std::vector<double>{1, 2, 1, 0, 0, 1}));
}

TEST(ClassHistogram, OfNothingOrOfOneValueIsNoTrouble) {
    EXPECT_EQ(class_histogram({}, {}, 2).bin_count(), 0u);
    const std::vector<double> same{0.3, 0.3, 0.3};
    const Histogram bins = class_histogram(same, std::vector<std::int32_t>(3, 0), 1);
    EXPECT_EQ(bins.bin_count(), 1u);
    EXPECT_EQ(bins.by_class[0][0], 3);
}

TEST(CheckFit, OfAGaussianIsSciPysKstestAndItsQuantiles) {
    const auto at = steps(-14, 26, 4001);
    std::vector<double> density;
    for (const double x : at) density.push_back(std::exp(-(x - 6) * (x - 6) / 8) / std::sqrt(8 * std::numbers::pi));
    const FitCheck check = check_fit(values, at, density, false);
    EXPECT_NEAR(check.distance, 0.17105612630848183, 1e-6);
    ASSERT_EQ(check.quantiles.size(), 10u);
    EXPECT_NEAR(check.quantiles[0].expected, 2.71029275, 1e-3);
    EXPECT_NEAR(check.quantiles[9].expected, 9.28970725, 1e-3);
    for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(check.quantiles[k].seen, values[k], 1e-12);
    EXPECT_FALSE(check.misfits());
}

TEST(CheckFit, OfAnExponentialIsSciPysKstest) {
    const auto at = steps(1e-9, 120, 24001);
    std::vector<double> density;
    for (const double x : at) density.push_back(std::exp(-x / 5) / 5);
    const FitCheck check = check_fit(values, at, density, false);
    EXPECT_NEAR(check.distance, 0.5595683454940007, 1e-5);
    EXPECT_TRUE(check.misfits());
}

TEST(CheckFit, OfCountsComparesDistributionFunctionsAtWholeNumbers) {
    std::vector<double> at, probability;
    for (int k = 0; k < 60; ++k) {
        at.push_back(k);
        probability.push_back(std::exp(k * std::log(2.5) - 2.5 - std::lgamma(k + 1.0)));
    }
    const FitCheck check = check_fit({0, 1, 1, 2, 2, 2, 3, 4, 4, 7}, at, probability, true);
    EXPECT_NEAR(check.distance, 0.08581268800908659, 1e-10);
}

TEST(CostCurve, OfAPerfectScoreCostsNothingAndOfNoScoreTheCheaperConstant) {
    const std::vector<ScoredWeight> perfect{{0.9, 1, 1}, {0.8, 1, 1}, {0.2, 1, 0}, {0.1, 1, 0}};
    for (const auto& point : cost_curve(threshold_curve(perfect, 1))) EXPECT_DOUBLE_EQ(point.cost, 0);
    const std::vector<ScoredWeight> none{{0.5, 1, 1}, {0.5, 1, 0}};
    const auto points = cost_curve(threshold_curve(none, 1), 10);
    ASSERT_EQ(points.size(), 11u);
    for (const auto& point : points) EXPECT_DOUBLE_EQ(point.cost, std::min(point.miss_weight, 1 - point.miss_weight));
}

TEST(CostCurve, IsTheLowerEnvelopeOfTheThresholds) {
    // Scores 4, 3, 2, 1 of classes 1, 0, 1, 0: operating points (0, .5), (.5, .5), (.5, 1).
    const std::vector<ScoredWeight> scored{{0.4, 1, 1}, {0.3, 1, 0}, {0.2, 1, 1}, {0.1, 1, 0}};
    const auto points = cost_curve(threshold_curve(scored, 1), 4);
    EXPECT_DOUBLE_EQ(points[2].cost, 0.25);  // half of the misses, or half of the false alarms
    EXPECT_DOUBLE_EQ(points[1].cost, 0.125);
    EXPECT_DOUBLE_EQ(points[3].cost, 0.125);
    EXPECT_TRUE(cost_curve(threshold_curve(std::vector<ScoredWeight>{{0.5, 1, 1}}, 1)).empty());
}

}  // namespace
}  // namespace suffice
