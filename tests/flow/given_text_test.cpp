// Models stated in JSON against those stated in C++, and against Bayes' rule by hand.
#include "suffice/flow/given_text.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace suffice {
namespace {

TEST(GivenText, IsTheModelStatedInTheLanguage) {
    const auto read = given_model_of(R"({"priors": {"a": 0.3, "b": 0.7}, "columns": ["x", "y"],
        "means": {"a": [0, 0], "b": [2, 1]}, "covariance": [[2, 0.5], [0.5, 1]]})")
                          .value();
    const GivenModel stated{{"a", "b"}, {0.3, 0.7}, {"x", "y"}, {{0, 0}, {2, 1}}, {{2, 0.5, 0.5, 1}}, {}};
    const double row[] = {0.4, -1};
    EXPECT_EQ(classifier_from(read).value().posteriors(rows(row, 1, 2)).value(),
              classifier_from(stated).value().posteriors(rows(row, 1, 2)).value());
}

TEST(GivenText, FamiliesFollowBayesRule) {
    const auto model = model_of_text(R"({"priors": {"ham": 0.6, "spam": 0.4}, "families": {
        "link": {"family": "bernoulli", "ham": [0.25], "spam": [0.8]},
        "marks": {"family": "poisson", "ham": [1.5], "spam": [4]}}})")
                           .value();
    const double row[] = {1, 3};
    const double ham = 0.6 * 0.25 * std::exp(-1.5) * std::pow(1.5, 3), spam = 0.4 * 0.8 * std::exp(-4.0) * 64;
    EXPECT_NEAR(model.posteriors(rows(row, 1, 2)).value()(0, 1), spam / (ham + spam), 1e-12);
}

TEST(GivenText, WhatIsNoModelIsOneSentence) {
    const auto message = [](const std::string& json) { return model_of_text(json).error().message; };
    EXPECT_EQ(message("[1, 2"), "a stated model is a JSON object with priors, means, covariance, families");
    EXPECT_EQ(message("{}"), "a stated model needs priors, a number for each class");
    EXPECT_EQ(message(R"({"priors": {"a": 1}, "mean": 3})"),
              "a stated model has no mean; it has priors, columns, means, covariance or covariances, families");
    EXPECT_EQ(message(R"({"priors": {"a": 0.5, "b": 0.5}, "columns": ["x"], "means": {"a": [1]}})"),
              "means lacks class b");
    EXPECT_EQ(message(R"({"priors": {"a": 0.5, "b": 0.5}, "columns": ["x"], "means": {"a": [1], "b": [[["x"]]]}})"),
              "means of class b must be a list of numbers");
    EXPECT_EQ(
        message(R"({"priors": {"a": 0.5, "b": 0.6}, "families": {"n": {"family": "poisson", "a": [1], "b": [2]}}})"),
        "the priors must be above 0 and sum to 1");
}

}  // namespace
}  // namespace suffice
