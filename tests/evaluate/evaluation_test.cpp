// Worked examples, undefined measures, unknown labels, rejected rows, bad input, and the bound beyond which curves are
// binned.
#include "suffice/evaluate/evaluation.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "suffice/base/random.hpp"

namespace suffice {
namespace {

// `weight` rows of a truth and a decision for class 1 (or 0) at confidence 0.9.
void add(Evaluation& evaluation, std::int32_t truth, bool decide_one, double weight) {
    const double posteriors[] = {decide_one ? 0.1 : 0.9, decide_one ? 0.9 : 0.1};
    evaluation.observe(truth, posteriors, weight).value();
}

Evaluation two_classes() { return Evaluation::make(2).value(); }

TEST(Evaluation, OfFortyTenTwentyThirtyIsTheTextbooks) {
    Evaluation evaluation = two_classes();
    add(evaluation, 1, true, 40);
    add(evaluation, 0, true, 10);
    add(evaluation, 1, false, 20);
    add(evaluation, 0, false, 30);
    const Scores scores = evaluation.scores();
    EXPECT_DOUBLE_EQ(*scores.accuracy, 0.70);
    EXPECT_DOUBLE_EQ(*scores.precision.per_class[1], 0.80);
    EXPECT_DOUBLE_EQ(*scores.recall.per_class[1], 2.0 / 3);
    EXPECT_DOUBLE_EQ(*scores.f1.per_class[1], 80.0 / 110);
    EXPECT_EQ(scores.majority->class_code, 1u);
    EXPECT_DOUBLE_EQ(scores.majority->accuracy, 0.6);
}

TEST(Evaluation, AlwaysNoOnOnePercentLooksLikeTheMajority) {
    Evaluation evaluation = two_classes();
    add(evaluation, 0, false, 9900);
    add(evaluation, 1, false, 100);
    const Scores scores = evaluation.scores();
    EXPECT_DOUBLE_EQ(*scores.accuracy, 0.99);
    EXPECT_DOUBLE_EQ(scores.majority->accuracy, *scores.accuracy);
    EXPECT_DOUBLE_EQ(*scores.recall.per_class[1], 0);
    EXPECT_DOUBLE_EQ(*scores.balanced_accuracy, 0.5);
    EXPECT_FALSE(scores.precision.per_class[1]);
    EXPECT_FALSE(scores.matthews);
    EXPECT_DOUBLE_EQ(*scores.roc_auc.per_class[1], 0.5);
}

TEST(Evaluation, AlwaysYesHasRecallOneAndPrecisionPrevalence) {
    Evaluation evaluation = two_classes();
    add(evaluation, 0, true, 9900);
    add(evaluation, 1, true, 100);
    const Scores scores = evaluation.scores();
    EXPECT_DOUBLE_EQ(*scores.recall.per_class[1], 1);
    EXPECT_DOUBLE_EQ(*scores.precision.per_class[1], 0.01);
}

TEST(Evaluation, WithoutRowsIsUndefinedThroughout) {
    const Scores scores = two_classes().scores();
    for (const Defined& value :
         {scores.accuracy, scores.error, scores.log_loss, scores.brier, scores.calibration_error, scores.matthews,
          scores.cohen_kappa, scores.balanced_accuracy, scores.f1.macro, scores.roc_auc.macro, scores.roc_auc.pairwise,
          scores.average_precision.macro, scores.top_k[0], scores.coverage, scores.calibration_error_equal_mass}) {
        EXPECT_FALSE(value);
    }
    EXPECT_FALSE(scores.majority);
    EXPECT_FALSE(scores.error_interval);
    EXPECT_TRUE(two_classes().reject_curve().empty());
}

TEST(Evaluation, CountsUnknownLabelsApart) {
    Evaluation evaluation = two_classes(), without = two_classes();
    add(evaluation, 0, false, 3);
    add(without, 0, false, 3);
    add(evaluation, -1, false, 5);
    EXPECT_EQ(evaluation.scores().unknown_row_count, 1u);
    EXPECT_EQ(evaluation.scores().unknown_weight, 5);
    EXPECT_EQ(evaluation.scores().row_count, 1u);
    EXPECT_EQ(*evaluation.scores().accuracy, *without.scores().accuracy);
    EXPECT_EQ(*evaluation.scores().log_loss, *without.scores().log_loss);
}

TEST(Evaluation, RejectedRowsLowerCoverageAndNotAccuracy) {
    Evaluation evaluation = two_classes();
    const std::vector<double> posteriors{0.9, 0.1, 0.5, 0.5, 0.2, 0.8, 0.4, 0.6};
    const std::vector<std::int32_t> truths{0, 1, 1, 0}, decisions{0, -1, 1, 1};
    evaluation.observe({posteriors, 2, truths}, decisions).value();
    const Scores scores = evaluation.scores();
    EXPECT_DOUBLE_EQ(*scores.coverage, 0.75);
    EXPECT_DOUBLE_EQ(*scores.accuracy, 2.0 / 3);
    EXPECT_EQ(scores.confusion.rejected_weight(1), 1);
    const std::vector<double> cost{0, 1, 50, 0}, with_reject{0, 1, 2, 50, 0, 3};
    EXPECT_FALSE(expected_cost(scores.confusion, cost));
    EXPECT_DOUBLE_EQ(**expected_cost(scores.confusion, with_reject), (1 + 3) / 4.0);
    EXPECT_FALSE(expected_cost(scores.confusion, std::vector<double>(5)));
}

TEST(Evaluation, BrierIsTheSumOfItsPartsAndTopOneIsAccuracy) {
    Rng rng(3);
    Evaluation evaluation = Evaluation::make(3).value();
    for (int row = 0; row < 500; ++row) {
        double posteriors[3] = {rng.uniform(), rng.uniform(), rng.uniform()};
        const double sum = posteriors[0] + posteriors[1] + posteriors[2];
        for (double& each : posteriors) each /= sum;
        evaluation.observe(static_cast<std::int32_t>(rng.below(3)), posteriors).value();
    }
    const Scores scores = evaluation.scores();
    const BrierParts parts = *scores.brier_parts;
    EXPECT_NEAR(*scores.brier, parts.reliability - parts.resolution + parts.uncertainty + parts.within_bins, 1e-15);
    EXPECT_LT(std::abs(parts.within_bins), 0.01);
    EXPECT_DOUBLE_EQ(*scores.top_k[0], *scores.accuracy);
    EXPECT_DOUBLE_EQ(*scores.top_k[2], 1);
    EXPECT_LT(*scores.top_k[0], *scores.top_k[1]);
    const auto curve = evaluation.reject_curve();
    EXPECT_DOUBLE_EQ(curve.back().coverage, 1);
    EXPECT_DOUBLE_EQ(curve.back().error, *scores.error);
}

TEST(Evaluation, ForecastsOfOneValueHaveNothingWithinBins) {
    Evaluation evaluation = two_classes();
    add(evaluation, 1, true, 9);
    add(evaluation, 0, true, 1);
    const Scores scores = evaluation.scores();
    EXPECT_NEAR(scores.brier_parts->within_bins, 0, 1e-15);
    EXPECT_NEAR(scores.brier_parts->reliability, 0, 1e-15);
    EXPECT_NEAR(*scores.calibration_error, 0, 1e-15);
    EXPECT_NEAR(*scores.calibration_error_equal_mass, 0, 1e-15);
    EXPECT_NEAR(scores.brier_parts->uncertainty, 0.09, 1e-15);
}

TEST(Evaluation, LiftOfAPerfectRankingIsOneOverPrevalence) {
    Evaluation evaluation = two_classes();
    for (int row = 0; row < 100; ++row) {
        const double high = (100 - row) / 101.0, posteriors[] = {1 - high, high};
        evaluation.observe(row < 10 ? 1 : 0, posteriors).value();
    }
    const auto gains = gain_curve(evaluation.threshold_curve(1), 20);
    ASSERT_EQ(gains.size(), 20u);
    EXPECT_NEAR(gains[0].lift, 10, 1e-12);
    EXPECT_NEAR(gains[1].gain, 1, 1e-12);
    EXPECT_NEAR(gains[9].lift, 2, 1e-12);
    EXPECT_NEAR(gains[19].lift, 1, 1e-12);
}

TEST(Evaluation, BeyondTheBoundIsWithinItsStatedErrorWhereverTheRowsAreCut) {
    Rng rng(5);
    constexpr std::size_t rows = 6000, classes = 3;
    std::vector<double> posteriors(rows * classes);
    std::vector<std::int32_t> truths(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        truths[row] = static_cast<std::int32_t>(rng.below(classes));
        double sum = 0;
        for (std::size_t code = 0; code < classes; ++code) {
            const double own = code == static_cast<std::size_t>(truths[row]) ? 1.0 : 0.0;
            sum += posteriors[row * classes + code] = std::exp(12 * (rng.uniform() - 0.5) + 2 * own);
        }
        for (std::size_t code = 0; code < classes; ++code) posteriors[row * classes + code] /= sum;
    }
    const PosteriorRows all{posteriors, classes, truths};
    Evaluation exact = Evaluation::make(classes).value(), binned = Evaluation::make(classes, 5000).value();
    Evaluation first = binned, second = binned;
    exact.observe(all).value();
    binned.observe(all).value();
    const std::size_t cut = 1500;  // below the bound on one side, above it on the other
    first.observe({all.posteriors.subspan(0, cut * classes), classes, all.truths.subspan(0, cut)}).value();
    second.observe({all.posteriors.subspan(cut * classes), classes, all.truths.subspan(cut)}).value();
    EXPECT_TRUE(first.store().exact());
    EXPECT_FALSE(second.store().exact());
    first.merge(second);
    EXPECT_EQ(first.store(), binned.store());

    const Scores truth = exact.scores(), rough = binned.scores();
    EXPECT_TRUE(truth.exact_curves);
    EXPECT_EQ(truth.roc_auc.error_bound, 0);
    EXPECT_FALSE(rough.exact_curves);
    EXPECT_LT(rough.roc_auc.error_bound, 5e-4);
    for (std::size_t code = 0; code < classes; ++code) {
        EXPECT_LE(std::abs(*truth.roc_auc.per_class[code] - *rough.roc_auc.per_class[code]), rough.roc_auc.error_bound);
        EXPECT_NEAR(*truth.average_precision.per_class[code], *rough.average_precision.per_class[code], 5e-3);
    }
    EXPECT_NEAR(*truth.roc_auc.pairwise, *rough.roc_auc.pairwise, 2e-3);
    EXPECT_NEAR(*truth.calibration_error_equal_mass, *rough.calibration_error_equal_mass, 0.02);
    EXPECT_EQ(*truth.log_loss, *rough.log_loss);
    EXPECT_EQ(*truth.calibration_error, *rough.calibration_error);
}

TEST(PosteriorBins, AreMonotoneAndHoldTheirMiddle) {
    for (const std::size_t classes : {2u, 20u, 1000u}) {
        const PosteriorBins bins(classes);
        std::size_t before = 0;
        std::vector<double> posteriors{0, 5e-324, 1e-310, 1e-200, 1e-30};
        for (double p = 1e-20; p < 0.5; p *= 1.003) posteriors.push_back(p);
        posteriors.push_back(0.5);
        for (double rest = 0.4999; rest > 1e-16; rest /= 1.003) posteriors.push_back(1 - rest);
        posteriors.insert(posteriors.end(), {1 - 0x1p-53, 1});
        for (const double posterior : posteriors) {
            const std::size_t bin = bins.bin_of(posterior);
            ASSERT_GE(bin, before) << posterior;
            ASSERT_LT(bin, bins.count());
            before = bin;
        }
        for (std::size_t bin = 0; bin < bins.count(); ++bin) {
            if (bin > 1) {
                ASSERT_GE(bins.middle(bin), bins.middle(bin - 1)) << bin;
            }
            if (bins.middle(bin) < 1 - 1e-12) {  // nearer to one, doubles are sparser than bins
                ASSERT_EQ(bins.bin_of(bins.middle(bin)), bin);
            }
        }
    }
}

TEST(Evaluation, RefusesBadInputAndStaysAsItWas) {
    Evaluation evaluation = two_classes();
    add(evaluation, 0, false, 1);
    const Evaluation before = evaluation;
    const std::vector<double> good{0.4, 0.6, 0.5, 0.5}, high{0.4, 0.6, 1.5, -0.5}, scores{0.4, 0.6, 0.5, 0.6};
    const std::vector<double> broken{0.4, 0.6, NAN, 0.5};
    const std::vector<std::int32_t> truths{0, 1}, outside{0, 2}, one{0};
    const std::vector<double> negative{1, -1}, short_weights{1};
    const auto message = [&](const PosteriorRows& rows, std::span<const std::int32_t> decisions = {}) {
        const auto result = evaluation.observe(rows, decisions);
        EXPECT_FALSE(result);
        EXPECT_EQ(evaluation, before);
        return result ? std::string() : result.error().sentence();
    };
    EXPECT_EQ(message({high, 2, truths}), "row 2: A posterior is 1.500000; it must be a probability in [0, 1].");
    EXPECT_EQ(message({scores, 2, truths}), "row 2: The posteriors add up to 1.100000; they must add up to one.");
    EXPECT_EQ(message({broken, 2, truths}), "row 2: A posterior is nan; it must be a probability in [0, 1].");
    EXPECT_EQ(message({good, 2, outside}),
              "row 2: The class code 2 names no class; codes run from 0 to 1, and -1 stands for an "
              "unknown label.");
    EXPECT_EQ(message({good, 2, truths, negative}),
              "row 2: The weight is -1.000000; weights must be finite and not negative.");
    EXPECT_EQ(message({good, 2, truths, short_weights}), "There are 1 weights for 2 rows; give one per row.");
    EXPECT_EQ(message({good, 2, one}), "There are 1 labels, but the posteriors hold 4 numbers for 2 classes.");
    EXPECT_EQ(message({good, 4, one}), "The posteriors have 4 classes, but the evaluation has 2.");
    EXPECT_EQ(message({good, 2, truths}, one), "There are 1 decisions for 2 rows; give one per row.");
    EXPECT_FALSE(Evaluation::make(1));
    EXPECT_FALSE(Evaluation::make(5000));
    EXPECT_FALSE(f_beta(Confusion(2), -1));
}

}  // namespace
}  // namespace suffice
