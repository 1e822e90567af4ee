// The table of settings: every one is taken by a model, read from text, and refused where it means nothing.
#include <set>

#include <gtest/gtest.h>

#include "suffice/flow/algebra.hpp"
#include "suffice/flow/compare.hpp"
#include "suffice/flow/fit.hpp"
#include "suffice/flow/settings_table.hpp"

namespace suffice {
namespace {

const std::string shipped = SUFFICE_SOURCE_DIR "/data/";

TEST(SettingsTable, ModelsNameSettingsThatThereAreAndEverySettingHasAModel) {
    std::set<std::string_view> taken;
    for (const ModelEntry& model : models())
        for (const auto& some : model.settings)
            for (const std::string_view name : some) {
                EXPECT_NE(find_setting(name), nullptr) << model.name << " takes " << name;
                taken.insert(name);
            }
    std::set<std::string_view> names, options;
    for (const Setting& each : settings_table()) {
        EXPECT_TRUE(taken.contains(each.name)) << each.name;
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        EXPECT_TRUE(options.insert(each.option).second) << each.option;
    }
}

TEST(SettingsTable, WhatIsWrittenIsReadBack) {
    for (const Setting& each : settings_table())
        for (const SettingValue& example : each.examples) {
            FitOptions given, written;
            ASSERT_TRUE(each.set(given, example)) << each.name;
            EXPECT_FALSE(each.is_usual(given)) << each.name;
            ASSERT_TRUE(each.set_text(written, example.text())) << each.name << " " << example.text();
            EXPECT_EQ(each.get(written), each.get(given)) << each.name;
            ASSERT_TRUE(each.set(given, {})) << each.name;
            EXPECT_TRUE(each.is_usual(given)) << each.name;
        }
}

TEST(SettingsTable, RefusesWhatIsOutOfRangeInOneSentence) {
    FitOptions options;
    const auto refused = [&](std::string_view name, const std::string& text) {
        return find_setting(name)->set_text(options, text).error().message;
    };
    EXPECT_EQ(refused("alpha", "1.5"), "alpha takes a number from 0 to 1, not \"1.5\"");
    EXPECT_EQ(refused("smoothing", "-1"), "smoothing takes a number, zero or above, not \"-1\"");
    EXPECT_EQ(refused("estimate", "best"),
              "estimate takes likelihood, unbiased, map, predictive or auto, not \"best\"");
    EXPECT_EQ(refused("order", "2.5"), "order takes a whole number from 1 to 5, not \"2.5\"");
    EXPECT_EQ(refused("ngrams", "3-2"), "ngrams takes N or M-N, not \"3-2\"");
    EXPECT_EQ(set_setting(options, "smothing", {1.0}).error().message,
              "there is no setting smothing; did you mean smoothing?");
    EXPECT_FALSE(set_setting(options, "smoothing", {std::string("1")}));  // a word of a program is no number
}

TEST(SettingsTable, ASettingThatTheModelDoesNotTakeIsRefusedByFitDeriveAndCompare) {
    const std::string iris = shipped + "iris.csv";
    FitOptions lasso{.target = "species", .model = "gnb", .regression = {.lasso = 0.5}};
    const std::string sentence = "lasso is a setting of logistic_regression, not of gaussian_nb";
    EXPECT_EQ(fit({iris}, lasso).error().message, sentence);
    const double rows[] = {1, 2, 3, 4};
    const DenseBlock block{rows, Element::f64, 4, 1, 1, 1};
    EXPECT_EQ(fit(block, {"a", "a", "b", "b"}, lasso).error().message, sentence);
    const auto model = fit({iris}, {.target = "species", .model = "qda"}).value();
    EXPECT_EQ(derive(model, {.model = "lda", .settings = {.points = {.kernel = KernelShape::tophat}}}).error().message,
              "kernel is a setting of kernel_density and kernel_nb, not of linear_discriminant");
    EXPECT_NE(derive(model, {.model = "lda", .parts = {.keep = Keep::pooled}}).error().message.find("fit again"),
              std::string::npos);
    EXPECT_NE(compare({iris}, lasso, {.models = {"lda", "qda"}}).error().message.find("lasso is a setting of"),
              std::string::npos);
}

}  // namespace
}  // namespace suffice
