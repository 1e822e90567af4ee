// What the page's lessons ask of models, against closed forms and against the library asked directly.
#include <cmath>

#include "ask.hpp"
#include <gtest/gtest.h>

namespace suffice::page {
namespace {

// Two classes of the plane in rows whose means and variances are known.
Session two_classes() {
    Session session;
    const std::vector<double> around{-1, 0, 1, 0, 0, -2, 0, 2};  // variance 1/2 and 2, no covariance
    for (int k = 0; k < 2; ++k)
        for (std::size_t row = 0; row < 4; ++row) {
            session.values.insert(session.values.end(), {around[2 * row] + 3 * k, around[2 * row + 1] + k});
            session.codes.push_back(k);
        }
    return session;
}

const Json names{{"columns", {"x", "y"}}, {"classes", {"a", "b"}}};

Json with(const Json& more) {
    Json request = names;
    request.update(more);
    return request;
}

TEST(PageModels, ALinearDiscriminantHasTheWeightsOfItsFormula) {
    Session session = two_classes();
    const Json told = ask(session, with({{"do", "fit"}, {"model", "linear_discriminant"}}));
    const Json& contrast = told.at("pairs")[0];  // of b against a: S^-1 (mu_b - mu_a), with S = diag(1/2, 2)
    EXPECT_NEAR(contrast.at("linear")[0], 3 / 0.5, 1e-9);
    EXPECT_NEAR(contrast.at("linear")[1], 1 / 2.0, 1e-9);
    EXPECT_NEAR(contrast.at("constant"), -0.5 * (9 / 0.5 + 1 / 2.0), 1e-9);
    EXPECT_EQ(told.at("parameter_count"), 8);  // 2 means, 1 covariance, 1 prior
    EXPECT_EQ(told.at("outlines").size(), 2u);
}

TEST(PageModels, AStatedModelAnswersByBayesRule) {
    Session session;
    ask(session, {{"do", "state"},
                  {"given",
                   {{"priors", {{"a", 0.3}, {"b", 0.7}}},
                    {"columns", {"x", "y"}},
                    {"means", {{"a", {0, 0}}, {"b", {1, 0}}}},
                    {"covariance", {{"axes", {1, 1}}, {"angle", 0.7}}}}}});
    const Json said = ask(session, {{"do", "score"}, {"rows", {{0.5, 3.0}, {2.0, nullptr}}}});
    EXPECT_NEAR(said.at("posteriors")[0][0], 0.3, 1e-12);  // as far from the one as from the other
    const double odds = 0.7 / 0.3 * std::exp(-0.5 * (1.0 - 4.0));
    EXPECT_NEAR(said.at("posteriors")[1][1], odds / (1 + odds), 1e-12);  // the missing value is integrated out
    EXPECT_EQ(said.at("best"), Json({1, 1}));
}

TEST(PageModels, StatedCovariancesArePooledByTheirPriors) {
    Session session;
    const Json given{{"priors", {{"a", 0.25}, {"b", 0.75}}},
                     {"columns", {"x", "y"}},
                     {"means", {{"a", {0, 0}}, {"b", {1, 2}}}},
                     {"covariances", {{"a", {{5, 0}, {0, 1}}}, {"b", {{1, 0}, {0, 1}}}}}};
    const Json told = ask(session, {{"do", "state"}, {"given", given}, {"model", "linear_discriminant"}});
    const Json& pair = told.at("pairs")[0];  // S = diag(2, 1)
    EXPECT_NEAR(pair.at("linear")[0], 1 / 2.0, 1e-12);
    EXPECT_NEAR(pair.at("linear")[1], 2 / 1.0, 1e-12);
    EXPECT_NEAR(pair.at("constant"), -0.5 * (1 / 2.0 + 4 / 1.0) + std::log(3.0), 1e-12);
    EXPECT_FALSE(pair.contains("quadratic"));
    EXPECT_EQ(told.at("parameter_count"), 8);
    EXPECT_EQ(told.at("stated_outlines").size(), 2u);
    EXPECT_EQ(ask(session, {{"do", "state"}, {"given", given}}).at("parameter_count"), 11);
}

TEST(PageModels, EveryPairOfClassesHasItsScore) {
    Session session;
    const Json told = ask(session, {{"do", "state"},
                                    {"given",
                                     {{"priors", {{"a", 0.2}, {"b", 0.3}, {"c", 0.5}}},
                                      {"columns", {"x"}},
                                      {"means", {{"a", {0}}, {"b", {1}}, {"c", {3}}}},
                                      {"covariance", {{2}}}}}});
    const Json& pairs = told.at("pairs");
    ASSERT_EQ(pairs.size(), 3u);
    EXPECT_EQ(pairs[2].at("of"), "c");
    EXPECT_EQ(pairs[2].at("against"), "b");
    EXPECT_NEAR(pairs[2].at("linear")[0], (3 - 1) / 2.0, 1e-12);
    EXPECT_NEAR(pairs[2].at("constant"), (1 - 9) / 4.0 + std::log(0.5 / 0.3), 1e-12);
}

TEST(PageModels, TheGridHoldsThePosteriorsOfItsCorners) {
    Session session = two_classes();
    ask(session, with({{"do", "fit"}, {"model", "quadratic_discriminant"}}));
    const Json plane{{"left", -2}, {"right", 4}, {"bottom", -3}, {"top", 3}, {"columns", 3}, {"rows", 2}};
    Json request{{"do", "grid"}};
    request.update(plane);
    const Json drawn = ask(session, request);
    ASSERT_EQ(session.plane.size(), 3u * 2 * 2);
    const std::vector<double> grid = session.plane;
    const Json said = ask(session, {{"do", "score"}, {"rows", {{-2, -3}, {1, -3}, {4, -3}, {-2, 3}, {1, 3}, {4, 3}}}})
                          .at("posteriors");
    double difference = 0, turned = 0;  // the first row may be the top or the bottom one
    for (std::size_t k = 0; k < 6; ++k) {
        difference += std::abs(grid[2 * k] - said[k][0].get<double>());
        turned += std::abs(grid[2 * k] - said[(k + 3) % 6][0].get<double>());
    }
    EXPECT_LT(std::min(difference, turned), 1e-12);
    EXPECT_FALSE(drawn.at("boundaries").empty());
}

TEST(PageModels, ThresholdsGiveTheConfusionMatrixAndTheCosts) {
    Session session = two_classes();
    ask(session, with({{"do", "fit"}, {"model", "gaussian_nb"}}));
    const Json request{{"do", "evaluate"}, {"threshold", 0.5}, {"cost_miss", 5.0}, {"cost_alarm", 1.0}};
    const Json said = ask(session, request);
    double sum = 0;
    for (const auto& line : said.at("confusion"))
        for (const auto& cell : line) sum += cell.get<double>();
    EXPECT_EQ(sum, 8);
    const double missed = said.at("confusion")[1][0], alarms = said.at("confusion")[0][1];
    EXPECT_NEAR(said.at("cost"), (5 * missed + alarms) / 8, 1e-12);
    EXPECT_NEAR(said.at("recall"), said.at("confusion")[1][1].get<double>() / 4, 1e-12);
}

TEST(PageModels, StepsOfKMeansLowerTheSumOfSquares) {
    Session session = two_classes();
    double last = INFINITY;
    for (const int steps : {0, 1, 2, 5}) {
        const Json said = ask(
            session, {{"do", "k_means"}, {"columns", {"x", "y"}}, {"centres", {{0, -2}, {0, 2}}}, {"steps", steps}});
        EXPECT_LE(said.at("inertia").get<double>(), last + 1e-12);
        last = said.at("inertia");
    }
    EXPECT_THROW(
        ask(session, {{"do", "k_means"}, {"columns", {"x", "y"}}, {"centres", {{0, 0}, {99, 99}}}, {"steps", 1}}),
        std::exception);
}

TEST(PageModels, StepsOfEMRaiseTheLikelihood) {
    Session session = two_classes();
    double last = -INFINITY;
    for (const int steps : {0, 1, 3}) {
        const Json said = ask(session, {{"do", "mixture"},
                                        {"columns", {"x", "y"}},
                                        {"k", 2},
                                        {"shape", "spherical"},
                                        {"centres", {{0, 0}, {3, 1}}},
                                        {"steps", steps}});
        EXPECT_GE(said.at("log_likelihood").get<double>(), last - 1e-9);
        last = said.at("log_likelihood");
        EXPECT_EQ(said.at("shares").size(), 8u);
    }
}

TEST(PageModels, AStepOfNewtonsMethodIsItsFormula) {
    Session session;  // one column: x = -1, 0, 1, 2 with t = 0, 1, 0, 1
    session.values = {-1, 0, 1, 2};
    session.codes = {0, 1, 0, 1};
    session.column_count = 1;
    const Json said = ask(session, {{"do", "logistic"}, {"columns", {"x"}}, {"classes", {"a", "b"}}, {"steps", 1}});
    // From zero R = 1/4: (Phi' Phi / 4)^-1 Phi' (t - 1/2), with sums n = 4, x = 2, x^2 = 6 and Phi'(t - 1/2) = (0, 1).
    const double determinant = 4 * 6 - 2 * 2, intercept = 4 * (-2 * 1) / determinant, slope = 4 * (4 * 1) / determinant;
    EXPECT_NEAR(said.at("contrasts")[0][0], intercept, 1e-9);
    EXPECT_NEAR(said.at("contrasts")[0][1], slope, 1e-9);
}

TEST(PageModels, NewtonsMethodBeginsAtZeroAlsoWhereClassesAreUneven) {
    Session session;  // x = -1, 0, 1, 2 with t = 0, 1, 1, 1: Phi'(t - 1/2) = (1, 2)
    session.values = {-1, 0, 1, 2};
    session.codes = {0, 1, 1, 1};
    session.column_count = 1;
    const Json said = ask(session, {{"do", "logistic"}, {"columns", {"x"}}, {"classes", {"a", "b"}}, {"steps", 1}});
    EXPECT_NEAR(said.at("contrasts")[0][0], 4 * (6 * 1 - 2 * 2) / 20.0, 1e-9);
    EXPECT_NEAR(said.at("contrasts")[0][1], 4 * (4 * 2 - 2 * 1) / 20.0, 1e-9);
}

TEST(PageModels, OldRowsFadeInAStream) {
    Session session = two_classes();
    const Json said = ask(session, with({{"do", "stream"}, {"model", "gaussian_nb"}, {"batch", 4}, {"decay", 0.5}}));
    ASSERT_EQ(said.size(), 2u);
    EXPECT_EQ(said[0].at("weights"), Json::array({4.0}));  // a class counts from its first row on
    EXPECT_EQ(said[1].at("weights"), Json({2.0, 4.0}));
}

TEST(PageModels, WhatCannotBeAnsweredIsThrown) {
    Session session = two_classes();
    EXPECT_THROW(ask(session, with({{"do", "fit"}, {"model", "no_such_model"}})), std::exception);
    EXPECT_THROW(ask(session, {{"do", "state"}, {"given", {{"priors", {{"a", 2.0}}}}}}), std::exception);
}

}  // namespace
}  // namespace suffice::page
