// What is kept behind a model for deciding: thresholds by name, quantiles of usual log evidences, goals.
#include "suffice/decide/decision_stage.hpp"

#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "suffice/decide/decision.hpp"
#include "suffice/decide/thresholds.hpp"

namespace suffice {
namespace {

TEST(DecisionStage, PutsThresholdsInTheOrderOfTheClasses) {
    const std::vector<std::string> classes{"maybe", "no", "yes"};
    EXPECT_TRUE(thresholds_by_class({}, classes).value().empty());
    const auto by_class = thresholds_by_class({{"yes", 0.9}, {"maybe", 0.2}}, classes).value();
    EXPECT_EQ(by_class, (std::vector<std::optional<double>>{0.2, std::nullopt, 0.9}));
    EXPECT_EQ(thresholds_by_class({{"never", 0.5}}, classes).error().message,
              "the thresholds name the class never, which the model does not have");
    EXPECT_EQ(thresholds_by_class({{"no", 0.5}, {"no", 0.6}}, classes).error().message,
              "the class no has two thresholds");
}

TEST(DecisionStage, KeepsAFewEvidencesWholeAndManyAsTheirQuantiles) {
    EXPECT_EQ(usual_evidence({-1, -3, -2}), (std::vector<double>{-3, -2, -1}));
    std::vector<double> many(100'001);
    std::iota(many.rbegin(), many.rend(), 0.0);  // descending
    const std::vector<double> kept = usual_evidence(many);
    ASSERT_EQ(kept.size(), 1001u);
    EXPECT_EQ(kept.front(), 0);
    EXPECT_EQ(kept[10], 1000);
    EXPECT_EQ(kept.back(), 100'000);
    EXPECT_NEAR(novelty_threshold(kept, 0.05).value(), novelty_threshold(many, 0.05).value(), 100);
}

// Scores 0.9, 0.8, ..., 0.4, of the class: yes yes no yes no no.
ThresholdCurve stage_curve() {
    ThresholdCurve made;
    made.points = {{0.9, 1, 0}, {0.8, 2, 0}, {0.7, 2, 1}, {0.6, 3, 1}, {0.5, 3, 2}, {0.4, 3, 3}};
    made.positive_weight = made.negative_weight = 3;
    return made;
}

TEST(ThresholdGoal, IsReachedByTheSearchItNames) {
    using Kind = ThresholdGoal::Kind;
    EXPECT_DOUBLE_EQ(choose_threshold(stage_curve(), {0, Kind::precision, 0.7}).value().threshold, 0.6);
    EXPECT_DOUBLE_EQ(choose_threshold(stage_curve(), {0, Kind::recall, 0.6}).value().threshold, 0.8);
    // One false alarm against a miss of cost 10, or of cost 0.1: then the miss is cheaper.
    EXPECT_DOUBLE_EQ(choose_threshold(stage_curve(), {0, Kind::cost, 10}).value().threshold, 0.6);
    EXPECT_DOUBLE_EQ(choose_threshold(stage_curve(), {0, Kind::cost, 0.1}).value().threshold, 0.8);
    EXPECT_EQ(choose_threshold(stage_curve(), {0, Kind::cost, 0}).value().threshold,
              std::numeric_limits<double>::infinity());
    EXPECT_FALSE(choose_threshold(stage_curve(), {0, Kind::cost, -1}));
}

}  // namespace
}  // namespace suffice
