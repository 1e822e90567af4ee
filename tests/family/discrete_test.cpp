// Discrete families where they differ from each other: known r, zeros, entropies, any number of trials.
#include <cmath>

#include <gtest/gtest.h>

#include "suffice/family/all.hpp"
#include "suffice/family/divergence.hpp"

namespace suffice {
namespace {

TEST(NegativeBinomial, FindsTheMostLikelyR) {
    const double counts[] = {0, 0, 1, 3, 7, 2, 0, 12, 5, 1, 0, 4, 9, 2, 2};
    EXPECT_NEAR(most_likely_negative_binomial(counts).value().r, 0.918127360891492,
                1e-11);  // SciPy's brentq on the score
    const double distinct[] = {0, 1, 2, 3, 4, 5, 7, 9, 12}, weights[] = {4, 2, 3, 1, 1, 1, 1, 1, 1};
    EXPECT_NEAR(most_likely_negative_binomial(distinct, weights).value().r, 0.918127360891492, 1e-11);
}

TEST(NegativeBinomial, SaysWhereNoRIsMostLikely) {
    const double even[] = {3, 3, 4, 3};
    const auto refused = most_likely_negative_binomial(even);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("poisson"), std::string::npos);
    EXPECT_FALSE(most_likely_negative_binomial({}));
}

TEST(Entropy, OfCountsIsThatOfTheDirectSum) {
    EXPECT_NEAR(entropy(Poisson{}, {3.5}), 2.015172522512972, 1e-10);
    // Sums of fifty decimal digits, on both sides of where the expansion takes over.
    EXPECT_NEAR(entropy(Poisson{}, {900}), 4.8200432707613368, 1e-10);
    EXPECT_NEAR(entropy(Poisson{}, {1100}), 4.9203954705471546, 1e-10);
    EXPECT_NEAR(entropy(NegativeBinomial{2.5}, {0.4}), 2.364795230696287, 1e-10);
    const auto [family, parameter] = Multinomial::typical();
    EXPECT_NEAR(entropy(family, parameter), 2.5918085962714983, 1e-10);
}

TEST(Zeros, AreKeptSoThatLogDensitiesStayFinite) {
    const Categorical levels{3};
    const auto p = levels.most_likely({{4, 0, 0}}).value();
    EXPECT_TRUE(std::isfinite(levels.log_density(p, 1)));
    EXPECT_TRUE(levels.valid(p));
    EXPECT_TRUE(std::isinf(kl_divergence(levels, Categorical::typical().second, p)));
    const Poisson poisson;
    EXPECT_TRUE(std::isfinite(poisson.log_density(poisson.most_likely({3, 0, 0}).value(), 2)));
    const Geometric geometric;
    EXPECT_TRUE(std::isfinite(geometric.log_density(geometric.most_likely({3, 0}).value(), 2)));
}

TEST(Multinomial, WithoutATrialCountTakesRowsOfAnySize) {
    const Multinomial words{3};
    auto seen = words.empty();
    for (const auto& row : {std::vector<double>{1, 0, 2}, {0, 0, 0}, {10, 5, 2}}) {
        EXPECT_TRUE(words.supports(row));
        words.observe(seen, row, 1);
    }
    EXPECT_DOUBLE_EQ(seen.weight(), 3);
    EXPECT_NEAR(std::exp(words.most_likely(seen).value().log_probability[0]), 11.0 / 20, 1e-15);
    EXPECT_FALSE(words.supports(std::vector<double>{1, 0.5, 2}));
    EXPECT_FALSE(words.supports(std::vector<double>{1, 2}));
    EXPECT_FALSE((Multinomial{3, 5}.supports(std::vector<double>{1, 0, 2})));
}

}  // namespace
}  // namespace suffice
