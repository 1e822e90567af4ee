// What the page's lessons ask of families, against closed forms.
#include <cmath>

#include "ask.hpp"
#include <gtest/gtest.h>

namespace suffice::page {
namespace {

TEST(PageFamilies, ACoinUnderABetaPrior) {
    Session session;
    const Json said = ask(session, {{"do", "family"},
                                    {"family", "bernoulli"},
                                    {"values", {1, 1, 0, 1}},
                                    {"prior", "beta(2,5)"},
                                    {"at", {1.0}},
                                    {"parameters", {{{"probability", 0.5}}}}});
    EXPECT_EQ(said.at("posterior").at("alpha"), 5);
    EXPECT_EQ(said.at("posterior").at("beta"), 6);
    EXPECT_NEAR(said.at("map").at("probability"), 4 / 9.0, 1e-12);
    EXPECT_NEAR(said.at("log_predictive")[0], std::log(5 / 11.0), 1e-12);
    EXPECT_NEAR(said.at("prior_density")[0], 30 * 0.5 * std::pow(0.5, 4), 1e-12);  // Beta(2, 5) at a half
}

TEST(PageFamilies, LevelsAreGivenAndToldAsProbabilities) {
    Session session;
    const Json said = ask(session, {{"do", "family"},
                                    {"family", "categorical"},
                                    {"size", 3},
                                    {"values", {0, 1, 1, 2}},
                                    {"parameter", {{"probability", {0.2, 0.3, 0.5}}}},
                                    {"at", {0.0, 2.0}}});
    EXPECT_NEAR(said.at("likelihood").at("probability")[1], 0.5, 1e-12);
    EXPECT_NEAR(said.at("log_density")[0], std::log(0.2), 1e-12);
    EXPECT_NEAR(said.at("log_density")[1], std::log(0.5), 1e-12);
    EXPECT_FALSE(said.at("likelihood").contains("log_probability"));
}

TEST(PageFamilies, EveryFamilyIsListedAndDrawn) {
    Session session;
    const Json all = ask(session, {{"do", "families"}});
    EXPECT_GE(all.size(), 18u);
    const Json drawn = ask(
        session,
        {{"do", "draw_values"}, {"family", "poisson"}, {"parameter", {{"rate", 3.0}}}, {"count", 2000}, {"seed", 1}});
    double sum = 0;
    for (const auto& each : drawn.at("values")) sum += each.get<double>();
    EXPECT_NEAR(sum / 2000, 3, 5 * std::sqrt(3.0 / 2000));
}

}  // namespace
}  // namespace suffice::page
