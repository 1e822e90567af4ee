// The fused pass against responsibilities and moments written out, and against the mixture learner over Parts.
#include "suffice/group/gaussian_pass.hpp"

#include <cmath>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "suffice/math/cholesky.hpp"

namespace suffice {
namespace {

struct PassTable {
    std::size_t n, d;
    std::vector<double> values, weight;

    PassTable(std::size_t rows, std::size_t columns, double apart = 3, double far = 0) : n(rows), d(columns) {
        std::mt19937_64 random(7);
        std::normal_distribution<double> normal;
        for (std::size_t row = 0; row < n; ++row) {
            weight.push_back(0.5 + 0.25 * static_cast<double>(row % 5));
            for (std::size_t j = 0; j < d; ++j)
                values.push_back(far + normal(random) * (1 + 0.3 * static_cast<double>(j)) +
                                 (row % 2 == 0 ? apart : -apart));
        }
    }
    LabeledBlock block(bool weighted) const {
        return {DenseBlock{values.data(), Element::f64, n, d, static_cast<std::ptrdiff_t>(d), 1},
                {},
                weighted ? std::span<const double>(weight) : std::span<const double>{},
                0};
    }
};

// Two components with different spreads; factor: of the precision, lower.
ScoredComponents two_components(ComponentShape shape, std::size_t d, double far = 0) {
    Matrix mean(2, d);
    std::vector<double> factor;
    for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t j = 0; j < d; ++j) mean(c, j) = far + (c == 0 ? 2.0 : -1.5) + 0.1 * static_cast<double>(j);
    const std::size_t groups = shape == ComponentShape::tied ? 1 : 2;
    for (std::size_t g = 0; g < groups; ++g) {
        if (shape == ComponentShape::spherical) {
            factor.push_back(0.6 + 0.2 * static_cast<double>(g));
            continue;
        }
        for (std::size_t i = 0; i < d; ++i) {
            if (shape == ComponentShape::diagonal) {
                factor.push_back(0.5 + 0.1 * static_cast<double>(i + g));
                continue;
            }
            for (std::size_t j = 0; j < d; ++j)
                factor.push_back(j > i ? 0.0 : j == i ? 0.7 + 0.1 * static_cast<double>(g) : 0.15);
        }
    }
    return scored_components(shape, mean, factor, {std::log(0.4), std::log(0.6)}).value();
}

class GaussianPass : public testing::TestWithParam<std::tuple<ComponentShape, bool, double>> {};

TEST_P(GaussianPass, GathersWhatResponsibilitiesSayRowByRow) {
    const auto [shape, weighted, far] = GetParam();
    const std::size_t d = 3;
    const PassTable table(700, d, 3, far);
    const auto components = two_components(shape, d, far);
    GaussianRows rows(table.block(weighted), shape);
    const auto found = rows.step(components, Assignment::soft, true, {}).value();

    double log_likelihood = 0, entropy = 0, total = 0;
    std::vector<double> share(2 * table.n), weight(2);
    Matrix mean(2, d);
    for (std::size_t row = 0; row < table.n; ++row) {
        const std::span<const double> x(table.values.data() + row * d, d);
        const double w = weighted ? table.weight[row] : 1;
        double score[2];
        for (std::size_t c = 0; c < 2; ++c)
            score[c] = components.offset[c] + static_cast<double>(components.gaussians.log_density(c, x));
        const double evidence = std::log(std::exp(score[0]) + std::exp(score[1]));
        log_likelihood += w * evidence;
        total += w;
        for (std::size_t c = 0; c < 2; ++c) {
            const double r = std::exp(score[c] - evidence);
            entropy += w * r * (score[c] - evidence);
            share[2 * row + c] = w * r;
            weight[c] += w * r;
            for (std::size_t j = 0; j < d; ++j) mean(c, j) += w * r * x[j];
        }
    }
    for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t j = 0; j < d; ++j) mean(c, j) /= weight[c];
    EXPECT_NEAR(found.log_likelihood, log_likelihood, 1e-9 * std::abs(log_likelihood));
    EXPECT_NEAR(found.negative_entropy, entropy, 1e-9 * std::abs(entropy) + 1e-12);
    EXPECT_NEAR(found.total_weight, total, 1e-9);
    Matrix scatter(2, d * d);
    for (std::size_t row = 0; row < table.n; ++row)
        for (std::size_t c = 0; c < 2; ++c)
            for (std::size_t i = 0; i < d; ++i)
                for (std::size_t j = 0; j < d; ++j)
                    scatter(c, i * d + j) += share[2 * row + c] * (table.values[row * d + i] - mean(c, i)) *
                                             (table.values[row * d + j] - mean(c, j));
    std::vector<double> expected;
    for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_NEAR(found.weight[c], weight[c], 1e-9 * total);
        for (std::size_t j = 0; j < d; ++j) EXPECT_NEAR(found.mean(c, j), mean(c, j), 1e-9 * (1 + std::abs(far)));
        double trace = 0;
        for (std::size_t i = 0; i < d; ++i) trace += scatter(c, i * d + i) / weight[c] / static_cast<double>(d);
        if (shape == ComponentShape::spherical) expected.push_back(trace);
        for (std::size_t i = 0; shape == ComponentShape::diagonal && i < d; ++i)
            expected.push_back(scatter(c, i * d + i) / weight[c]);
        for (std::size_t at = 0; shape == ComponentShape::full && at < d * d; ++at)
            expected.push_back(scatter(c, at) / weight[c]);
    }
    for (std::size_t at = 0; shape == ComponentShape::tied && at < d * d; ++at)
        expected.push_back((scatter(0, at) + scatter(1, at)) / total);
    ASSERT_EQ(found.covariance.size(), expected.size());
    for (std::size_t at = 0; at < expected.size(); ++at) EXPECT_NEAR(found.covariance[at], expected[at], 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Shapes, GaussianPass,
                         testing::Combine(testing::Values(ComponentShape::full, ComponentShape::tied,
                                                          ComponentShape::diagonal, ComponentShape::spherical),
                                          testing::Bool(), testing::Values(0.0, 1e5)));

TEST(GaussianPass, KeepsCovariancesOfMeansFarApart) {
    const std::size_t n = 400;
    PassTable table(n, 2, 1e8);
    std::vector<std::int32_t> labels(n);
    for (std::size_t row = 0; row < n; ++row) labels[row] = static_cast<std::int32_t>(row % 2);
    GaussianRows rows(table.block(false), ComponentShape::full);
    const auto found = rows.of_labels(labels, 2, {}).value();
    for (std::size_t c = 0; c < 2; ++c) {
        double mean = 0, square = 0;
        for (std::size_t row = c; row < n; row += 2) mean += table.values[2 * row] / 200;
        for (std::size_t row = c; row < n; row += 2) square += std::pow(table.values[2 * row] - mean, 2) / 200;
        EXPECT_NEAR(found.covariance[4 * c], square, 1e-6);
    }
}

TEST(GaussianPass, HardSharesCountEachRowOnce) {
    const PassTable table(500, 3);
    GaussianRows rows(table.block(false), ComponentShape::diagonal);
    const auto components = two_components(ComponentShape::diagonal, 3);
    const auto hard = rows.step(components, Assignment::hard, false, {}).value();
    std::vector<std::int32_t> best(500);
    ASSERT_TRUE(score_rows(table.block(false).rows, components, {nullptr, nullptr, best.data()}, {}));
    const auto counted = rows.of_labels(best, 2, {}).value();
    EXPECT_EQ(hard.mean, counted.mean);
    EXPECT_EQ(hard.covariance, counted.covariance);
}

TEST(GaussianPass, HasTheSameBitsForAnyNumberOfThreads) {
    const PassTable table(60'000, 3);
    const auto components = two_components(ComponentShape::full, 3);
    std::vector<ComponentMoments> found;
    for (const unsigned threads : {1u, 2u, 5u}) {
        Context context;
        context.thread_count = threads;
        GaussianRows rows(table.block(true), ComponentShape::full);
        found.push_back(rows.step(components, Assignment::soft, true, context).value());
    }
    for (const auto& other : found) {
        EXPECT_EQ(other.covariance, found[0].covariance);
        EXPECT_EQ(other.log_likelihood, found[0].log_likelihood);
    }
}

TEST(GaussianPass, RefusesComponentsOfOtherColumns) {
    const PassTable table(10, 2);
    GaussianRows rows(table.block(false), ComponentShape::diagonal);
    EXPECT_FALSE(rows.step(two_components(ComponentShape::diagonal, 3), Assignment::soft, false, {}));
    EXPECT_FALSE(rows.of_labels(std::vector<std::int32_t>(3), 1, {}));
    EXPECT_FALSE(scored_components(ComponentShape::full, Matrix(2, 2), std::vector<double>(3), {0, 0}));
}

}  // namespace
}  // namespace suffice
