// Wilson and bootstrap intervals, and the paired comparison of two models.
#include <cmath>

#include "evaluate/golden.hpp"
#include <gtest/gtest.h>

#include "suffice/evaluate/bootstrap.hpp"
#include "suffice/evaluate/paired.hpp"

namespace suffice {
namespace {

// first_only rows where only the first model is right, second_only where only the second is.
PairedComparison compared(int first_only, int second_only) {
    PairedComparison comparison;
    const double no[] = {0.8, 0.2}, yes[] = {0.2, 0.8};
    const std::int32_t truth[] = {1};
    for (int row = 0; row < first_only; ++row) comparison.observe({yes, 2, truth}, no).value();
    for (int row = 0; row < second_only; ++row) comparison.observe({no, 2, truth}, yes).value();
    return comparison;
}

TEST(Uncertainty, WilsonAndMcNemarEqualScipy) {
    const auto expected = golden::values("evaluate_values.csv");
    for (const golden::Value& value : expected.at("paired")) {
        SCOPED_TRACE(value.name);
        int a = 0, b = 0;
        if (std::sscanf(value.name.c_str(), "wilson_%d_%d", &a, &b) == 2) {
            const Interval interval = wilson_interval(a, b);
            EXPECT_NEAR(value.index == 0 ? interval.low : interval.high, *value.value, 1e-12);
        } else {
            ASSERT_EQ(std::sscanf(value.name.c_str(), "mcnemar_%d_%d", &a, &b), 2);
            EXPECT_NEAR(*compared(a, b).scores().mcnemar_p_value, *value.value, 1e-12);
        }
    }
}

TEST(PairedComparison, OfAModelWithItselfFindsNoDifference) {
    const golden::Case rows = golden::cases().at("three");
    PairedComparison comparison;
    comparison.observe(rows.rows(), rows.posteriors).value();
    const PairedScores scores = comparison.scores();
    EXPECT_EQ(*scores.mcnemar_p_value, 1);
    EXPECT_FALSE(scores.mcnemar_statistic);
    EXPECT_EQ(*scores.accuracy_difference, 0);
    EXPECT_EQ(*scores.log_loss_difference, 0);
    EXPECT_FALSE(scores.log_loss_p_value);
}

TEST(PairedComparison, MergesPiecesIntoTheWhole) {
    PairedComparison whole = compared(7, 3), pieces = compared(0, 3);
    pieces.merge(PairedComparison());
    pieces.merge(compared(7, 0));
    const PairedScores expected = whole.scores(), merged = pieces.scores();
    EXPECT_EQ(merged.only_first_right, 7);
    EXPECT_DOUBLE_EQ(*merged.mcnemar_statistic, 0.9);
    EXPECT_NEAR(*merged.log_loss_difference, *expected.log_loss_difference, 1e-15);
    EXPECT_NEAR(*merged.log_loss_p_value, *expected.log_loss_p_value, 1e-14);
    EXPECT_LT(*merged.log_loss_difference, 0);
}

TEST(PairedComparison, RefusesPosteriorsOfOtherRows) {
    PairedComparison comparison;
    const double one[] = {0.8, 0.2}, two[] = {0.8, 0.2, 0.5, 0.5};
    const std::int32_t truth[] = {1};
    EXPECT_FALSE(comparison.observe({one, 2, truth}, two));
    EXPECT_EQ(comparison, PairedComparison());
}

const std::vector<Measure> measures{[](const Scores& scores) { return scores.error; },
                                    [](const Scores& scores) { return scores.roc_auc.macro; },
                                    [](const Scores&) { return Defined(); }};

TEST(Bootstrap, AgreesWithTheNormalIntervalOfTheErrorAndRepeatsBitForBit) {
    Evaluation evaluation = Evaluation::make(2).value();
    Rng rng(11);
    for (int row = 0; row < 800; ++row) {
        const double high = rng.uniform(), posteriors[] = {1 - high, high};
        evaluation.observe(rng.uniform() < high ? 1 : 0, posteriors).value();
    }
    const auto intervals = bootstrap_intervals(evaluation, measures, Rng(1), {.replicates = 200}).value();
    const Scores scores = evaluation.scores();
    const double reach = 1.96 * std::sqrt(*scores.error * (1 - *scores.error) / 800);
    EXPECT_NEAR(intervals[0]->low, *scores.error - reach, 0.3 * reach);
    EXPECT_NEAR(intervals[0]->high, *scores.error + reach, 0.3 * reach);
    EXPECT_LT(intervals[1]->low, *scores.roc_auc.macro);
    EXPECT_GT(intervals[1]->high, *scores.roc_auc.macro);
    EXPECT_FALSE(intervals[2]);
    EXPECT_EQ(bootstrap_intervals(evaluation, measures, Rng(1), {.replicates = 200}).value()[1], intervals[1]);
    EXPECT_NE(bootstrap_intervals(evaluation, measures, Rng(2), {.replicates = 200}).value()[1], intervals[1]);
}

// A hundred rows, seen eight or ten times each: as copies, or once with that weight.
Evaluation seen_often(bool by_weight) {
    Evaluation evaluation = Evaluation::make(2).value();
    Rng rng(12);
    for (int row = 0; row < 100; ++row) {
        const double high = rng.uniform(), posteriors[] = {1 - high, high};
        const std::int32_t truth = rng.uniform() < high ? 1 : 0;
        const int times = row % 2 == 0 ? 8 : 10;
        for (int copy = 0; copy < (by_weight ? 1 : times); ++copy)
            evaluation.observe(truth, posteriors, by_weight ? times : 1).value();
    }
    return evaluation;
}

TEST(Bootstrap, AWeightOfTenIsTenRowsWhereWeightsAreCounts) {
    const Evaluation copies = seen_often(false), counted = seen_often(true);
    ASSERT_EQ(copies.weight(), counted.weight());
    const BootstrapSettings counts{.replicates = 400}, worths{.replicates = 400, .weights_are_counts = false};
    const auto wanted = bootstrap_intervals(copies, measures, Rng(1), counts).value();
    const auto told = bootstrap_intervals(counted, measures, Rng(1), counts).value();
    const auto wide = bootstrap_intervals(counted, measures, Rng(1), worths).value();
    for (std::size_t k = 0; k < 2; ++k) {
        const double width = wanted[k]->high - wanted[k]->low;
        EXPECT_NEAR(told[k]->low, wanted[k]->low, 0.2 * width);
        EXPECT_NEAR(told[k]->high, wanted[k]->high, 0.2 * width);
        EXPECT_GT(wide[k]->high - wide[k]->low, 2 * width);  // a hundred rows tell a third as well
    }
}

TEST(Bootstrap, RefusesWhatItCannotResample) {
    const double posteriors[] = {0.3, 0.7};
    Evaluation evaluation = Evaluation::make(2, 3).value();
    EXPECT_FALSE(bootstrap_intervals(evaluation, measures, Rng(1)));
    evaluation.observe(1, posteriors).value();
    EXPECT_FALSE(bootstrap_intervals(evaluation, measures, Rng(1), {.replicates = 100, .level = 1.0}));
    EXPECT_FALSE(bootstrap_intervals(evaluation, measures, Rng(1), {.replicates = 1}));
    evaluation.observe(1, posteriors).value();
    EXPECT_FALSE(bootstrap_intervals(evaluation, measures, Rng(1)));
}

}  // namespace
}  // namespace suffice
