// Decisions by posterior, cost, threshold and evidence; thresholds chosen on validation rows; priors changed
// afterwards.
#include "suffice/decide/decision.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "suffice/base/random.hpp"
#include "suffice/decide/priors.hpp"
#include "suffice/decide/thresholds.hpp"
#include "suffice/evaluate/evaluation.hpp"

namespace suffice {
namespace {

using Codes = std::vector<std::int32_t>;
const std::vector<double> rows{0.7, 0.3, 0.5, 0.5, 0.02, 0.98, 0.01, 0.99};

TEST(Decide, TakesTheMostProbableClassAndTheFirstOfEqualOnes) {
    EXPECT_EQ(decide(rows, 2, {}).value(), (Codes{0, 0, 1, 1}));
}

TEST(Decide, MissingAFraudAtFiftyMovesTheThresholdToOneInFiftyOne) {
    const CostMatrix cost = parse_cost_matrix({"fraud", "ok"}, "fraud:ok=50").value();
    EXPECT_EQ(decide(rows, 2, {.cost = cost}).value(), (Codes{0, 0, 0, 1}));
    const double edge = 1.0 / 51;
    const std::vector<double> near{edge + 1e-9, 1 - edge - 1e-9, edge - 1e-9, 1 - edge + 1e-9};
    EXPECT_EQ(decide(near, 2, {.cost = cost}).value(), (Codes{0, 1}));
}

TEST(Decide, RejectingAtCostCRejectsWhereTheBestPosteriorIsBelowOneMinusC) {
    const CostMatrix chow = parse_cost_matrix({"a", "b", "c"}, "reject=0.4").value();
    Rng rng(2);
    std::vector<double> posteriors;
    for (int row = 0; row < 200; ++row) {
        const double a = rng.uniform(), b = rng.uniform(), c = rng.uniform(), sum = a + b + c;
        posteriors.insert(posteriors.end(), {a / sum, b / sum, c / sum});
    }
    const Codes by_cost = decide(posteriors, 3, {.cost = chow}).value();
    EXPECT_EQ(by_cost, decide(posteriors, 3, {.reject_below = 0.6}).value());
    EXPECT_GT(std::count(by_cost.begin(), by_cost.end(), -1), 20);
    EXPECT_LT(std::count(by_cost.begin(), by_cost.end(), -1), 180);
}

TEST(Decide, ACostAddedToAllDecisionsOfOneTruthChangesNothing) {
    const std::vector<std::string> names{"a", "b", "c"};
    const CostMatrix cost = make_cost_matrix(names, {0, 2, 5, 1, 0, 7, 3, 4, 0}).value();
    const CostMatrix moved = make_cost_matrix(names, {-9, -7, -4, 1, 0, 7, 5, 6, 2}).value();
    Rng rng(3);
    std::vector<double> posteriors;
    for (int row = 0; row < 100; ++row) {
        const double a = rng.uniform(), b = rng.uniform(), c = rng.uniform(), sum = a + b + c;
        posteriors.insert(posteriors.end(), {a / sum, b / sum, c / sum});
    }
    EXPECT_EQ(decide(posteriors, 3, {.cost = cost}).value(), decide(posteriors, 3, {.cost = moved}).value());
}

TEST(Decide, AbstainsBelowTheThresholdAndOnNovelRows) {
    EXPECT_EQ(decide(rows, 2, {.reject_below = 0.7}).value(), (Codes{0, -1, 1, 1}));
    const std::vector<double> evidence{-3, -2, -50, NAN};
    EXPECT_EQ(decide(rows, 2, {.novelty_below = -10.0}, evidence).value(), (Codes{0, 0, -1, -1}));
    std::vector<double> training(100);
    for (int row = 0; row < 100; ++row) training[static_cast<std::size_t>(row)] = -row;
    EXPECT_EQ(novelty_threshold(training, 0.05).value(), -94);
}

TEST(Decide, ThresholdsOfSomeClassesGoBeforeTheOthers) {
    const DecisionRule rule{.thresholds = {0.02, std::nullopt}};
    EXPECT_EQ(decide(rows, 2, rule).value(), (Codes{0, 0, 0, 1}));
    const DecisionRule both{.thresholds = {0.6, 0.985}};
    EXPECT_EQ(decide(rows, 2, both).value(), (Codes{0, -1, -1, 1}));
    const DecisionRule never{.thresholds = {INFINITY, std::nullopt}};
    EXPECT_EQ(decide(rows, 2, never).value(), (Codes{1, 1, 1, 1}));
}

TEST(Decide, RefusesRulesThatDoNotFit) {
    const CostMatrix three = parse_cost_matrix({"a", "b", "c"}, "a:b=2").value();
    const CostMatrix two = parse_cost_matrix({"a", "b"}, "a:b=2").value();
    EXPECT_FALSE(decide(rows, 2, {.cost = three}));
    EXPECT_FALSE(decide(rows, 2, {.reject_below = 1.5}));
    EXPECT_FALSE(decide(rows, 2, {.reject_below = NAN}));
    EXPECT_FALSE(decide(rows, 2, {.novelty_below = -10.0}));
    EXPECT_FALSE(decide(rows, 2, {.thresholds = {0.5}}));
    EXPECT_FALSE(decide(rows, 2, {.thresholds = {0.5, 1.5}}));
    EXPECT_FALSE(decide(rows, 2, {.cost = two, .thresholds = {0.5, 0.5}}));
    EXPECT_FALSE(decide(rows, 3, {}));
    EXPECT_FALSE(decide(rows, 1, {}));
    EXPECT_FALSE(novelty_threshold({}, 0.1));
    EXPECT_FALSE(novelty_threshold({1.0}, 1.0));
}

TEST(TopClasses, AreInOrderOfPosteriorThenOfClass) {
    const std::vector<double> posteriors{0.2, 0.5, 0.3, 0.4, 0.2, 0.4};
    EXPECT_EQ(top_classes(posteriors, 3, 2).value(), (Codes{1, 2, 0, 2}));
    EXPECT_FALSE(top_classes(posteriors, 3, 0));
    EXPECT_FALSE(top_classes(posteriors, 3, 4));
}

// Scores 0.9, 0.8, ..., with truths 1 1 0 1 0 0.
ThresholdCurve curve() {
    Evaluation evaluation = Evaluation::make(2).value();
    const std::int32_t truths[] = {1, 1, 0, 1, 0, 0};
    for (int row = 0; row < 6; ++row) {
        const double high = 0.9 - 0.1 * row, posteriors[] = {1 - high, high};
        evaluation.observe(truths[row], posteriors).value();
    }
    return evaluation.threshold_curve(1);
}

TEST(Thresholds, AreChosenForPrecisionRecallOrCost) {
    const ThresholdChoice precise = threshold_for_precision(curve(), 0.7).value();
    EXPECT_DOUBLE_EQ(precise.threshold, 0.6);
    EXPECT_DOUBLE_EQ(*precise.precision, 0.75);
    EXPECT_DOUBLE_EQ(precise.recall, 1);
    EXPECT_DOUBLE_EQ(threshold_for_precision(curve(), 0.8).value().threshold, 0.8);
    EXPECT_DOUBLE_EQ(threshold_for_recall(curve(), 0.6).value().threshold, 0.8);
    EXPECT_DOUBLE_EQ(threshold_for_recall(curve(), 1).value().threshold, 0.6);
    const ThresholdChoice cheap = threshold_for_cost(curve(), 1, 10).value();
    EXPECT_DOUBLE_EQ(cheap.threshold, 0.6);
    EXPECT_DOUBLE_EQ(cheap.cost, 1.0 / 6);
    EXPECT_TRUE(std::isinf(threshold_for_cost(curve(), 10, 0).value().threshold));
}

TEST(Thresholds, RefuseWhatCannotBeReached) {
    EXPECT_FALSE(threshold_for_precision(curve(), 1.5));
    EXPECT_FALSE(threshold_for_recall(curve(), 0));
    EXPECT_FALSE(threshold_for_recall(ThresholdCurve(), 0.5));
    EXPECT_FALSE(threshold_for_cost(ThresholdCurve(), 1, 1));
    EXPECT_FALSE(threshold_for_cost(curve(), NAN, 1));
    ThresholdCurve poor;
    poor.points = {{0.5, 1, 3}};
    poor.positive_weight = 1;
    poor.negative_weight = 3;
    EXPECT_EQ(threshold_for_precision(poor, 0.5).error().message,
              "No threshold reaches a precision of 0.500000; the best is 0.250000.");
}

TEST(Priors, ShiftAsBayesRuleDoes) {
    // Two unit Gaussians at 0 and 2: the posterior at x under any prior is known in closed form.
    const auto posterior = [](double x, double prior) {
        const double odds = prior / (1 - prior) * std::exp(-0.5 * (x - 2) * (x - 2) + 0.5 * x * x);
        return odds / (1 + odds);
    };
    const std::vector<double> trained{0.5, 0.5}, wanted{0.99, 0.01}, excluded{1, 0};
    for (const double x : {-40.0, -1.0, 0.3, 1.0, 5.0, 30.0}) {
        std::vector<double> own{1 - posterior(x, 0.5), posterior(x, 0.5)};
        shift_priors(own, 2, trained, wanted).value();
        EXPECT_NEAR(own[1], posterior(x, 0.01), 1e-12);
        shift_priors(own, 2, wanted, trained).value();
        EXPECT_NEAR(own[1], posterior(x, 0.5), 1e-12);
        shift_priors(own, 2, trained, excluded).value();
        EXPECT_EQ(own[1], 0);
    }
}

TEST(Priors, AdaptToTheShareInUnlabelledRows) {
    Rng rng(7);
    const std::vector<double> trained{0.5, 0.5};
    std::vector<double> posteriors;
    for (int row = 0; row < 20000; ++row) {
        double normal = -6;  // a sum of twelve uniforms: mean 0, variance 1
        for (int term = 0; term < 12; ++term) normal += rng.uniform();
        const double x = normal + (rng.uniform() < 0.2 ? 2 : 0), high = 1 / (1 + std::exp(2 - 2 * x));
        posteriors.insert(posteriors.end(), {1 - high, high});
    }
    const std::vector<double> priors = adapt_priors(posteriors, 2, trained).value();
    EXPECT_NEAR(priors[1], 0.2, 0.01);
    EXPECT_NEAR(priors[0] + priors[1], 1, 1e-12);
}

TEST(Priors, AreRefusedWhereTheyAreNone) {
    std::vector<double> own{0.4, 0.6};
    const std::vector<double> good{0.5, 0.5}, zero{0, 1}, much{0.6, 0.6}, three{0.2, 0.3, 0.5}, none;
    EXPECT_FALSE(shift_priors(own, 2, zero, good));
    EXPECT_FALSE(shift_priors(own, 2, good, much));
    EXPECT_FALSE(shift_priors(own, 2, good, three));
    EXPECT_FALSE(adapt_priors(none, 2, good));
    EXPECT_EQ(own, (std::vector<double>{0.4, 0.6}));
}

}  // namespace
}  // namespace suffice
