// Every linear family keeps the laws of the exponential form; and some laws of single families.
#include "laws/exponential_laws.hpp"

#include "suffice/family/smoothing_bounds.hpp"

namespace suffice::laws {

template <class F>
class ExponentialLaws : public ::testing::Test {};
TYPED_TEST_SUITE(ExponentialLaws, FamilyTypes, FamilyNames);

TYPED_TEST(ExponentialLaws, HoldForTheFamily) {
    if constexpr (LinearFamily<TypeParam>) {
        Findings findings(TypeParam::name);
        check_exponential_form<TypeParam>(findings);
        EXPECT_EQ(findings.text(), "");
    } else {
        GTEST_SKIP() << "has no linear form";
    }
}

TEST(Risk, OfABernoulliEstimatedAsZeroIsInfinite) {
    const Bernoulli family;
    const auto none = family.most_likely({5, 0}).value(), all = family.most_likely({0, 5}).value();
    EXPECT_TRUE(std::isinf(cross_entropy(family, {0.3}, none)));
    EXPECT_TRUE(std::isinf(kl_divergence(family, {0.3}, all)));
    EXPECT_TRUE(std::isfinite(family.log_density(none, 1)));
    EXPECT_TRUE(std::isfinite(family.log_density(all, 0)));
    EXPECT_NEAR(cross_entropy(family, none, none), 0, 1e-12);
}

TEST(Risk, OfAGaussianMeanExceedsTheEntropyByHalfTheSquaredDistance) {
    const GaussianVector family{2};
    const GaussianVector::Parameter truth{{1, 2}, {2, 0, 1, 0.5}}, other{{1.5, 1}, {2, 0, 1, 0.5}};
    // S = [[4, 2], [2, 1.25]], S^-1 = [[1.25, -2], [-2, 4]], difference (0.5, -1).
    EXPECT_NEAR(cross_entropy(family, truth, other) - entropy(family, truth), 0.5 * (0.3125 + 2 + 4), 1e-10);
}

TEST(RobbinsMonro, WithStepsOfVarianceOverCountIsTheRunningMeanOfAGaussian) {
    const GaussianKnownVariance family = GaussianKnownVariance::typical().first;
    auto current = GaussianKnownVariance::typical().second;
    const double variance = family.variance(current);
    const auto rows = draw_rows(family, current, 50, 3);
    double sum = 0, count = 0;
    for (double row : rows) {
        sum += row;
        ++count;
        current = robbins_monro_step(family, current, row, variance / count, Coordinates::mean).value();
        EXPECT_NEAR(family.mean(current), sum / count, 1e-9 * (1 + std::abs(sum / count)));
    }
}

TEST(RobbinsMonro, ComesNearTheTruthOfAPoisson) {
    const Poisson family;
    Poisson::Parameter current{1};
    int count = 0;
    for (double row : draw_rows(family, {3.5}, 4000, 17))
        current = robbins_monro_step(family, current, row, 1.0 / (10 + ++count)).value();
    EXPECT_NEAR(current.rate, 3.5, 0.15);
}

TEST(Smoothing, BoundsHoldForEveryOutcome) {
    const Bernoulli family;
    for (const double truth : {0.02, 0.3, 0.5, 0.9})
        for (const int trials : {5, 40}) {
            const double margin = smoothed_margin(trials, 0.9);
            EXPECT_NEAR(smoothed_miss_bound(trials, margin - 1.0 / (trials + 2)), 0.1, 1e-12);
            double missed = 0;
            for (int ones = 0; ones <= trials; ++ones) {
                const double estimate = smoothed_probability(ones, trials);
                EXPECT_NEAR(family.most_probable(family.posterior({2, 2}, {double(trials - ones), double(ones)}))
                                .value()
                                .probability,
                            estimate, 1e-14);
                EXPECT_LE(kl_divergence(family, {truth}, {estimate}), excess_risk_bound(truth, estimate) + 1e-15);
                EXPECT_LE(std::abs(estimate - double(ones) / trials), 1.0 / (trials + 2) + 1e-15);
                if (std::abs(estimate - truth) >= margin)
                    missed += std::exp(log_gamma(trials + 1) - log_gamma(ones + 1) - log_gamma(trials - ones + 1) +
                                       ones * std::log(truth) + (trials - ones) * std::log1p(-truth));
            }
            EXPECT_LE(missed, 0.1);
        }
}

}  // namespace suffice::laws
