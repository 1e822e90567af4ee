// What single continuous families promise beyond the laws: digits at large means, collapse, refusals, Newton,
// dispersion.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "suffice/family/all.hpp"
#include "suffice/family/dispersion.hpp"
#include "suffice/family/divergence.hpp"
#include "suffice/family/matching.hpp"

namespace suffice {
namespace {

TEST(Gaussian, KeepsSixDigitsOfTheVarianceAroundAMeanOfABillion) {
    constexpr std::size_t count = 1'000'000;
    Rng rng(1, "large mean");
    auto plain = Gaussian{}.empty(), pieces = Gaussian{}.empty(), near_zero = Gaussian{}.empty();
    auto vector = GaussianVector{2}.empty();
    auto diagonal = GaussianVectorDiagonal{2}.empty();
    auto spherical = GaussianVectorSpherical{2}.empty();
    for (std::size_t unit = 0; unit < 100; ++unit) {
        auto piece = Gaussian{}.empty();
        for (std::size_t i = 0; i < count / 100; ++i) {
            const double x = 1e9 + std::floor(sample_normal(rng) * 1024) / 1024;  // exact at this distance from 0
            const std::array pair{x, x};
            Gaussian{}.observe(plain, x, 1);
            Gaussian{}.observe(piece, x, 1);
            Gaussian{}.observe(near_zero, x - 1e9, 1);
            GaussianVector{2}.observe(vector, pair, 1);
            GaussianVectorDiagonal{2}.observe(diagonal, pair, 1);
            GaussianVectorSpherical{2}.observe(spherical, pair, 1);
        }
        pieces.merge(piece);
    }
    const double variance = near_zero.scatter / count;
    EXPECT_NEAR(plain.scatter / count, variance, 1e-6 * variance);
    EXPECT_NEAR(pieces.scatter / count, variance, 1e-6 * variance);
    EXPECT_NEAR(vector.scatter[0] / count, variance, 1e-6 * variance);
    EXPECT_NEAR(vector.scatter[1] / count, variance, 1e-6 * variance);
    EXPECT_NEAR(diagonal.scatter[1] / count, variance, 1e-6 * variance);
    EXPECT_NEAR(spherical.scatter / (2 * count), variance, 1e-6 * variance);
}

TEST(Gaussian, OneRowCollapsesUntilItIsWidened) {
    auto one = Gaussian{}.empty();
    Gaussian{}.observe(one, 7, 1);
    auto point = Gaussian{}.most_likely(one).value();
    EXPECT_FALSE(Gaussian{}.valid(point));
    Gaussian{}.widen(point, 0.25);
    EXPECT_TRUE(Gaussian{}.valid(point));
    EXPECT_EQ(point, (Gaussian::Parameter{7, 0.25}));
    EXPECT_FALSE(Gaussian{}.unbiased(one)) << "one row has no unbiased variance";
}

TEST(GaussianVector, ASingularScatterIsAnErrorThatSaysSo) {
    const GaussianVector family{2};
    auto line = family.empty();
    for (double x : {1.0, 2.0, 5.0}) family.observe(line, std::array{x, 2 * x}, 1);
    const auto fit = family.most_likely(line);
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().kind, ErrorKind::singular);
    EXPECT_NE(fit.error().message.find("positive definite"), std::string::npos);
    EXPECT_TRUE(family.most_probable(family.posterior(family.default_prior(), line))) << "a prior makes it regular";
}

TEST(GaussianVector, InOneDimensionIsTheGaussianWithItsPrior) {
    const GaussianVector family{1};
    auto s = family.empty();
    auto t = Gaussian{}.empty();
    for (double x : {1.0, 2.5, -4.0, 0.5}) {
        family.observe(s, std::array{x}, 1);
        Gaussian{}.observe(t, x, 1);
    }
    const auto wide = family.default_prior();
    const auto thin = Gaussian{}.default_prior();
    EXPECT_NEAR(family.log_evidence(wide, s), Gaussian{}.log_evidence(thin, t), 1e-13);
    const auto mode = family.most_probable(family.posterior(wide, s)).value();
    const auto mean = family.expected(family.posterior(wide, s)).value();
    EXPECT_NEAR(mode.factor[0] * mode.factor[0],
                Gaussian{}.most_probable(Gaussian{}.posterior(thin, t)).value().variance, 1e-13);
    EXPECT_NEAR(mean.factor[0] * mean.factor[0], Gaussian{}.expected(Gaussian{}.posterior(thin, t)).value().variance,
                1e-13);
}

TEST(Wishart, DrawsHaveTheCovarianceThatIsClaimed) {
    const auto [family, truth] = GaussianVectorKnownMean::typical();
    const GaussianVectorKnownMean::Prior prior{9, {4, 1, 1, 2}};
    Rng rng(3);
    const GaussianVector entries{3};  // of the precision: (0,0), (1,0), (1,1)
    auto drawn = entries.empty();
    for (int i = 0; i < 40000; ++i) {
        const auto p = family.draw(prior, rng);
        std::array<double, 3> natural{};
        family.write_natural(p, natural);
        entries.observe(drawn, std::array{-2 * natural[0], -natural[1], -2 * natural[2]}, 1);
    }
    const auto claimed = family.prior_covariance(prior);
    std::array<double, 3> mean{};
    family.write_natural(family.expected(prior).value(), mean);
    EXPECT_NEAR(drawn.mean[0], -2 * mean[0], 0.05);
    EXPECT_NEAR(drawn.mean[1], -mean[1], 0.05);
    EXPECT_NEAR(drawn.mean[2], -2 * mean[2], 0.05);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(drawn.scatter[i] / 40000, claimed[i], 0.05 * claimed[8]);
}

TEST(Gamma, EqualValuesAreRefused) {
    auto s = Gamma{}.empty();
    for (int i = 0; i < 5; ++i) Gamma{}.observe(s, 3.7, 1);
    EXPECT_FALSE(Gamma{}.most_likely(s));
    EXPECT_EQ(Gamma{}.most_likely(s).error().kind, ErrorKind::singular);
}

TEST(Beta, EqualValuesAreRefused) {
    auto s = Beta{}.empty();
    for (int i = 0; i < 5; ++i) Beta{}.observe(s, 0.37, 1);
    EXPECT_FALSE(Beta{}.most_likely(s));
}

TEST(Exponential, AllZerosAreRefusedAndAPulledPriorCuresIt) {
    auto zeros = Exponential{}.empty(), whole = Exponential{}.empty();
    for (int i = 0; i < 5; ++i) Exponential{}.observe(zeros, 0, 1);
    EXPECT_FALSE(Exponential{}.most_likely(zeros));
    whole = zeros;
    Exponential{}.observe(whole, 12, 1);
    const auto cured =
        Exponential{}.most_probable(Exponential{}.posterior(Exponential{}.pulled_prior(1, whole), zeros));
    EXPECT_DOUBLE_EQ(cured.value().rate, 6.0 / 2.0);
}

// The equation that all families share, solved by the code that gamma and beta use, against every closed form.
TEST(Matching, NewtonOnTheMeanFeaturesFindsTheClosedForm) {
    for_each_family([]<class F>() {
        const auto [family, truth] = F::typical();
        Rng rng(11);
        auto s = family.empty();
        std::vector<double> features(family.feature_count()), mean(family.feature_count());
        for (int i = 0; i < 50; ++i) {
            const auto x = family.sample(truth, rng);
            family.observe(s, x, 1);
            family.write_features(x, features);
            for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += features[k] / 50;
        }
        const auto closed = family.most_likely(s).value();
        const auto newton = match_mean_features(family, mean, truth);
        ASSERT_TRUE(newton) << F::name << ": " << newton.error().message;
        EXPECT_NEAR(family.log_likelihood(*newton, s), family.log_likelihood(closed, s),
                    1e-7 * (1 + std::abs(family.log_likelihood(closed, s))))
            << F::name;
    });
}

TEST(Dispersion, AddsUpToOneAndScalesTheMoments) {
    const Dispersion<Exponential> wait{{}, 3};
    EXPECT_DOUBLE_EQ(wait.mean({0.5}), 6);
    EXPECT_DOUBLE_EQ(wait.log_density({0.5}, 2.0), Exponential{}.log_density({0.5 / 3}, 2.0));
    const Dispersion<GaussianKnownVariance> error{{2.25}, 3};
    EXPECT_NEAR(error.log_density({7}, 20.0), Gaussian{}.log_density({21, 9 * 2.25}, 20.0), 1e-14);
    EXPECT_DOUBLE_EQ(error.variance({7}), 9 * 2.25);
}

TEST(Dispersion, WithASharedScaleTheLogRatioOfTwoClassesIsLinear) {
    const Dispersion<GaussianVectorKnownCovariance> shared{{{2, 0, 1, 0.5}}, 0.7};
    const GaussianVectorKnownCovariance::Parameter one{{5, -3}}, two{{4, 1}};
    const auto first = shared.linear_score(one), second = shared.linear_score(two);
    for (const std::array<double, 2>& x : {std::array{0.0, 0.0}, std::array{3.0, -1.0}, std::array{-40.0, 2.5}}) {
        double score = first.offset - second.offset;
        for (std::size_t j = 0; j < 2; ++j) score += (first.weights[j] - second.weights[j]) * x[j];
        const double direct = shared.log_density(one, x) - shared.log_density(two, x);
        EXPECT_NEAR(score, direct, 1e-10 * (1 + std::abs(direct)));
    }
}

}  // namespace
}  // namespace suffice
