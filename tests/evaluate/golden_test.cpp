// Every measure against scikit-learn 1.9.1: ties, weights, absent classes.
#include "evaluate/golden.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "suffice/evaluate/evaluation.hpp"

namespace suffice {
namespace {

// All measures under the names of the golden file.
std::map<std::string, std::vector<Defined>> named(const Evaluation& evaluation) {
    const Scores scores = evaluation.scores();
    std::map<std::string, std::vector<Defined>> result{{"accuracy", {scores.accuracy}},
                                                       {"balanced_accuracy", {scores.balanced_accuracy}},
                                                       {"cohen_kappa", {scores.cohen_kappa}},
                                                       {"matthews", {scores.matthews}},
                                                       {"log_loss", {scores.log_loss}},
                                                       {"brier", {scores.brier}},
                                                       {"calibration_error", {scores.calibration_error}},
                                                       {"roc_auc", scores.roc_auc.per_class},
                                                       {"roc_auc_macro", {scores.roc_auc.macro}},
                                                       {"roc_auc_weighted", {scores.roc_auc.weighted}},
                                                       {"roc_auc_pairwise", {scores.roc_auc.pairwise}},
                                                       {"average_precision", scores.average_precision.per_class}};
    const std::map<std::string, Averaged> averaged{{"precision", scores.precision},
                                                   {"recall", scores.recall},
                                                   {"f1", scores.f1},
                                                   {"f2", f_beta(scores.confusion, 2).value()}};
    for (const auto& [name, value] : averaged) {
        result[name] = value.per_class;
        result[name + "_macro"] = {value.macro};
        result[name + "_micro"] = {value.micro};
        result[name + "_weighted"] = {value.weighted};
    }
    for (std::size_t truth = 0; truth < evaluation.class_count(); ++truth) {
        for (std::size_t decision = 0; decision < evaluation.class_count(); ++decision) {
            result["confusion"].push_back(scores.confusion.at(truth, decision));
        }
    }
    for (std::size_t code = 0; code < evaluation.class_count(); ++code) {
        const auto curve = precision_recall_curve(evaluation.threshold_curve(code));
        double area = 0;
        for (std::size_t at = 1; at < curve.size(); ++at) {
            area += (curve[at].recall - curve[at - 1].recall) * (curve[at].precision + curve[at - 1].precision) / 2;
        }
        result["precision_recall_area"].push_back(area);
        result["precision_recall_points"].push_back(static_cast<double>(curve.size()));
    }
    for (const RocPoint& point : roc_curve(evaluation.threshold_curve(1))) {
        result["roc_fpr"].push_back(point.false_positive_rate);
        result["roc_tpr"].push_back(point.true_positive_rate);
        result["roc_threshold"].push_back(point.threshold);
    }
    return result;
}

TEST(Evaluation, EqualsScikitLearnWithTiesWeightsAndAbsentClasses) {
    const auto expected = golden::values("evaluate_values.csv");
    std::size_t compared = 0;
    for (const auto& [name, rows] : golden::cases()) {
        Evaluation evaluation = Evaluation::make(rows.class_count).value();
        evaluation.observe(rows.rows()).value();
        auto ours = named(evaluation);
        for (const golden::Value& value : expected.at(name)) {
            SCOPED_TRACE(name + " " + value.name + " " + std::to_string(value.index));
            ASSERT_LT(value.index, ours[value.name].size());
            const Defined mine = ours[value.name][value.index];
            ASSERT_EQ(mine.has_value(), value.value.has_value());
            if (mine && std::isinf(*value.value)) {
                EXPECT_EQ(*mine, *value.value);
            } else if (mine) {
                EXPECT_NEAR(*mine, *value.value, 1e-12);
            }
            ++compared;
        }
    }
    EXPECT_GT(compared, 500u);
}

TEST(Evaluation, PiecesMergedInAnyOrderGiveTheWhole) {
    for (const auto& [name, rows] : golden::cases()) {
        SCOPED_TRACE(name);
        const std::size_t third = rows.truths.size() / 3;
        Evaluation whole = Evaluation::make(rows.class_count).value(), first = whole, second = whole, empty = whole;
        whole.observe(rows.rows()).value();
        first.observe(rows.rows(0, third)).value();
        second.observe(rows.rows(third, rows.truths.size() - third)).value();
        second.merge(empty);
        second.merge(first);
        const auto expected = named(whole), merged = named(second);
        for (const auto& [measure, values] : expected) {
            for (std::size_t index = 0; index < values.size(); ++index) {
                const Defined mine = merged.at(measure)[index];
                ASSERT_EQ(mine.has_value(), values[index].has_value()) << measure;
                if (mine && !std::isinf(*mine)) {
                    EXPECT_NEAR(*mine, *values[index], 1e-12) << measure;
                }
            }
        }
    }
}

TEST(Evaluation, WeightTwoIsTwoRowsAndWeightZeroIsNone) {
    const golden::Case rows = golden::cases().at("three");
    Evaluation twice = Evaluation::make(3).value(), doubled = twice;
    twice.observe(rows.rows()).value();
    twice.observe(rows.rows()).value();
    std::vector<double> two(rows.truths.size(), 2.0), none(rows.truths.size(), 0.0);
    doubled.observe({rows.posteriors, 3, rows.truths, two}).value();
    doubled.observe({rows.posteriors, 3, rows.truths, none}).value();
    const auto expected = named(twice), found = named(doubled);
    for (const auto& [measure, values] : expected) {
        for (std::size_t index = 0; index < values.size(); ++index) {
            if (!std::isinf(*values[index])) {
                EXPECT_NEAR(*found.at(measure)[index], *values[index], 1e-13) << measure;
            }
        }
    }
    EXPECT_EQ(twice.scores().error_interval, doubled.scores().error_interval);
}

}  // namespace
}  // namespace suffice
