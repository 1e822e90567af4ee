// Marginals, conditionals, affine maps and distances of Gaussian vectors.
#include "suffice/family/gaussian_vector_maps.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "suffice/family/divergence.hpp"

namespace suffice {
namespace {

const GaussianVector::Parameter typical{{5, -3, 0.5}, {2, 0, 0, 1, 0.5, 0, -0.3, 0.2, 1.5}};
const GaussianVector family{3};

std::vector<double> covariance_of(const GaussianVector::Parameter& p) {
    return GaussianVector{p.mean.size()}.variance(p);
}

void expect_near(std::span<const double> a, std::span<const double> b, double tolerance = 1e-12) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "at " << i;
}

TEST(GaussianVectorMaps, AMarginalKeepsItsBlockInTheOrderAsked) {
    const auto part = marginal(typical, std::array<std::uint32_t, 2>{2, 0}).value();
    const auto whole = covariance_of(typical);
    expect_near(part.mean, std::array{0.5, 5.0});
    expect_near(covariance_of(part), std::array{whole[8], whole[6], whole[2], whole[0]});
}

TEST(GaussianVectorMaps, MarginalTimesConditionalIsTheJointDensity) {
    const std::array<std::uint32_t, 2> given{2, 0};
    for (const auto& x : {std::array{5.0, -3.0, 0.5}, std::array{7.0, -1.0, -4.0}, std::array{-2.0, 3.0, 9.0}}) {
        const std::array values{x[2], x[0]};
        const std::array rest{x[1]};
        const double joint = GaussianVector{2}.log_density(marginal(typical, given).value(), values) +
                             GaussianVector{1}.log_density(conditional(typical, given, values).value(), rest);
        EXPECT_NEAR(joint, family.log_density(typical, x), 1e-11);
    }
}

TEST(GaussianVectorMaps, ConditioningOnNothingIsTheWhole) {
    const auto same = conditional(typical, {}, {}).value();
    expect_near(same.mean, typical.mean);
    expect_near(same.factor, typical.factor);
}

// The same map made by stacking (x, n) into one Gaussian and drawing from it.
TEST(GaussianVectorMaps, AnAffineMapWithCorrelatedNoiseHasTheMomentsOfItsDraws) {
    const std::vector<double> joint_covariance{4,    1,   0.6, -0.3,  //
                                               1,    2,   0.1, 0.5,   //
                                               0.6,  0.1, 1,   0.2,   //
                                               -0.3, 0.5, 0.2, 1.5};
    const auto joint = gaussian_from_covariance({1, 2, 0.25, -0.5}, joint_covariance).value();
    AffineMap map{Matrix(2, 2), {10, 20}, {0.25, -0.5}, {1, 0.2, 0.2, 1.5}, {0.6, -0.3, 0.1, 0.5}};
    map.matrix.values = {1, 2, -3, 0.5};
    const auto mapped = affine_map(marginal(joint, std::array<std::uint32_t, 2>{0, 1}).value(), map).value();

    Matrix stacked(2, 4);  // y = [A I] (x, n) + b, with no noise beside it: the general formula without its cross terms
    stacked.values = {1, 2, 1, 0, -3, 0.5, 0, 1};
    const auto direct = affine_map(joint, {stacked, {10, 20}, {}, {}, {}}).value();
    expect_near(mapped.mean, direct.mean);
    expect_near(covariance_of(mapped), covariance_of(direct), 1e-11);

    Rng rng(5);
    auto drawn = GaussianVector{2}.empty();
    constexpr int count = 40000;
    for (int i = 0; i < count; ++i) {
        const auto z = GaussianVector{4}.sample(joint, rng);
        GaussianVector{2}.observe(drawn, std::array{z[0] + 2 * z[1] + 10 + z[2], -3 * z[0] + 0.5 * z[1] + 20 + z[3]},
                                  1);
    }
    const auto expected = covariance_of(mapped);
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_NEAR(drawn.mean[i], mapped.mean[i], 6 * std::sqrt(expected[i * 3] / count));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(drawn.scatter[i] / count, expected[i], 1.5);
}

TEST(GaussianVectorMaps, MahalanobisDistanceDoesNotSeeAnAffineMap) {
    AffineMap map{Matrix(3, 3), {1, 2, 3}, {}, {}, {}};
    map.matrix.values = {2, 1, 0, -1, 3, 0.5, 0, 0.25, 4};
    const auto mapped = affine_map(typical, map).value();
    const std::array x{7.0, -1.0, -4.0};
    std::vector<double> y(map.offset);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) y[i] += map.matrix(i, j) * x[j];
    EXPECT_NEAR(squared_mahalanobis(mapped, y), squared_mahalanobis(typical, x), 1e-10);
}

TEST(GaussianVectorMaps, DivergenceIsTheBregmanDivergenceOfTheLogPartition) {
    const GaussianVector::Parameter other{{4, -2, 1}, {1, 0, 0, 0.3, 2, 0, 0, -1, 0.7}};
    EXPECT_NEAR(divergence(typical, typical), 0, 1e-13);
    EXPECT_NEAR(divergence(typical, other), kl_divergence(family, typical, other), 1e-10);
    GaussianVector::Parameter moved = typical;
    moved.mean = {6, -3, 2};
    EXPECT_NEAR(divergence(typical, moved), 0.5 * squared_mahalanobis(typical, moved.mean), 1e-12);
}

TEST(GaussianVectorMaps, RefuseWhatDoesNotFit) {
    EXPECT_FALSE(marginal(typical, std::array<std::uint32_t, 1>{3}));
    EXPECT_FALSE(marginal(typical, std::array<std::uint32_t, 2>{1, 1}));
    EXPECT_FALSE(conditional(typical, std::array<std::uint32_t, 1>{0}, {}));
    EXPECT_FALSE(conditional(typical, std::array<std::uint32_t, 1>{0}, std::array{std::nan("")}));
    EXPECT_FALSE(affine_map(typical, {Matrix(2, 2), {}, {}, {}, {}}));
    Matrix twice(2, 3);  // the same row two times: no density
    twice.values = {1, 0, 0, 1, 0, 0};
    const auto flat = affine_map(typical, {twice, {}, {}, {}, {}});
    ASSERT_FALSE(flat);
    EXPECT_EQ(flat.error().kind, ErrorKind::singular);
}

}  // namespace
}  // namespace suffice
