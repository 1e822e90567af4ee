// Mixtures over batches: what is kept, what is forgotten, and where they end.
#include "suffice/group/online_mixture.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "suffice/accumulate/fold.hpp"
#include "suffice/group/gaussian_mixture.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

std::vector<double> two_clouds(std::size_t rows, double left, double right, std::uint64_t seed) {
    Rng rng(seed, "two clouds");
    std::vector<double> values;
    for (std::size_t row = 0; row < rows; ++row) values.push_back(sample_normal(rng) + (row % 2 == 0 ? left : right));
    return values;
}

LabeledBlock block_of(const std::vector<double>& values) {
    return {DenseBlock{values.data(), Element::f64, values.size(), 1, 1, 1}, {}, {}, 0};
}

Classifier first_guess() {
    Schema schema;
    schema.columns = {{"x"}};
    GaussianComponents guess{{0.5, 0.5}, Matrix(2, 1), {{4.0}, {4.0}}};
    guess.mean.values = {-1, 1};
    return gaussian_mixture_of(schema, guess, {2, ComponentShape::full}).value();
}

std::vector<double> sorted_means(const Classifier& model) {
    auto means = components_of(model).value().mean.values;
    std::sort(means.begin(), means.end());
    return means;
}

TEST(OnlineMixture, OverManyBatchesFindsWhatEmOverAllRowsFinds) {
    auto online = OnlineMixture::from(first_guess(), OnlineSteps{0.98}).value();
    for (std::uint64_t batch = 0; batch < 150; ++batch)
        ASSERT_TRUE(online.learn(block_of(two_clouds(200, -3, 3, batch))));
    const auto means = sorted_means(online.model());
    EXPECT_NEAR(means[0], -3, 0.1);
    EXPECT_NEAR(means[1], 3, 0.1);
}

TEST(OnlineMixture, FollowsCloudsThatMoveWhereItForgets) {
    auto keeping = OnlineMixture::from(first_guess(), OnlineSteps{1}).value(),
         forgetting = OnlineMixture::from(first_guess(), OnlineSteps{0.8}).value();
    for (std::uint64_t batch = 0; batch < 80; ++batch) {
        const double way = std::clamp(0.15 * (static_cast<double>(batch) - 20), 0.0, 4.0);
        const auto rows = two_clouds(200, -3 + way, 3 + way, batch);
        ASSERT_TRUE(keeping.learn(block_of(rows)));
        ASSERT_TRUE(forgetting.learn(block_of(rows)));
    }
    EXPECT_NEAR(sorted_means(forgetting.model())[1], 7, 0.3);
    EXPECT_LT(sorted_means(keeping.model())[1], 6.7);
}

TEST(OnlineMixture, OneBatchIsOneStepOfEm) {
    const auto rows = two_clouds(500, -2, 2, 9);
    const Classifier first = first_guess();
    auto online = OnlineMixture::from(first, OnlineSteps{1e-9}).value();  // what the guess weighed is as good as gone
    ASSERT_TRUE(online.learn(block_of(rows)));
    MemoryStream stream(block_of(rows), first.schema());
    MixtureSettings settings;
    settings.step_limit = 1;
    const auto step = continue_mixture(first, stream, settings).value();
    const auto ours = components_of(online.model()).value(), theirs = components_of(step.model).value();
    for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_NEAR(ours.mean(c, 0), theirs.mean(c, 0), 1e-9);
        EXPECT_NEAR(ours.covariance[c][0], theirs.covariance[c][0], 1e-9);
    }
}

// Batches of a stream without drift: the parameters end within the sampling error of what EM over all rows finds, which
// for a mean of n/2 rows of a cloud of variance one is a little above sqrt(2 / n).
TEST(OnlineMixture, OverOnePassAgreesWithEmOverAllRows) {
    const std::size_t n = 60'000;
    const auto rows = two_clouds(n, -2, 2, 4);
    const LabeledBlock all = block_of(rows);
    MemoryStream stream(all, first_guess().schema()), start(all.slice(0, 500), first_guess().schema());
    const Classifier first = continue_mixture(first_guess(), start, {}).value().model;
    auto online = OnlineMixture::from(first, {{}, 500}).value();
    ASSERT_TRUE(online.add(all.slice(500, n - 500)));
    ASSERT_TRUE(online.finish());
    EXPECT_EQ(online.step_count(), n / 500 - 1);
    const auto batch = continue_mixture(first, stream, {}).value();
    const auto ours = components_of(online.model()).value(), theirs = components_of(batch.model).value();
    const double error = std::sqrt(2.0 / static_cast<double>(n));
    for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_NEAR(ours.mean(c, 0), theirs.mean(c, 0), 4 * error);
        EXPECT_NEAR(ours.weight[c], theirs.weight[c], 4 * error);
        EXPECT_NEAR(ours.covariance[c][0], theirs.covariance[c][0], 8 * error);
    }
}

TEST(OnlineMixture, CutsBatchesTheSameWhereverTheRowsComeFrom) {
    const auto rows = two_clouds(2'500, -2, 2, 5);
    const LabeledBlock all = block_of(rows);
    auto whole = OnlineMixture::from(first_guess(), {0.9, 400}).value(), pieces = whole;
    ASSERT_TRUE(whole.add(all));
    for (std::size_t at = 0; at < rows.size(); at += 250) ASSERT_TRUE(pieces.add(all.slice(at, 250)));
    ASSERT_TRUE(whole.finish());
    ASSERT_TRUE(pieces.finish());
    EXPECT_EQ(whole.step_count(), 7u);
    const auto one = sorted_means(whole.model()), other = sorted_means(pieces.model());
    for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(one[c], other[c], 1e-12);
    EXPECT_NEAR(whole.model().weight(), pieces.model().weight(), 1e-9);
}

// Neal and Hinton: what is kept are statistics, so those of two halves under one model add up to those of all rows.
TEST(OnlineMixture, StatisticsOfTwoHalvesMergeToThoseOfAllRows) {
    const auto rows = two_clouds(3'000, -2, 2, 6);
    const Classifier first = first_guess();
    const SharedRows pass{first, {0, 1}};
    const auto gather = [&](std::size_t from, std::size_t count) {
        MemoryStream stream(block_of(rows).slice(from, count), first.schema());
        return fold(pass, stream, Context{}).value();
    };
    ModelStatistic both = gather(0, 1'000);
    both.merge(gather(1'000, 2'000));
    const ModelStatistic all = gather(0, 3'000);
    EXPECT_NEAR(both.log_likelihood, all.log_likelihood, 1e-8);
    const Mixture learner{first, {0, 1}};
    const auto ours = components_of(learner.step(first, both).value()).value();
    const auto theirs = components_of(learner.step(first, all).value()).value();
    for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_NEAR(ours.weight[c], theirs.weight[c], 1e-13);
        EXPECT_NEAR(ours.mean(c, 0), theirs.mean(c, 0), 1e-12);
        EXPECT_NEAR(ours.covariance[c][0], theirs.covariance[c][0], 1e-12);
    }
}

TEST(OnlineSteps, WithoutANumberTheShareOfABatchIsAPowerOfHowManyThereWere) {
    double weight = 10;
    for (int t = 2; t <= 50; ++t) {
        weight = OnlineSteps{}.kept(weight, 10) * weight + 10;
        EXPECT_NEAR(10 / weight, std::pow(t, -0.7), 1e-12);
    }
    EXPECT_DOUBLE_EQ(OnlineSteps{0.81}.kept(1000, 5, 0.5), 0.9);  // half a batch forgets half as much
}

TEST(OnlineMixture, RefusesWhatItCannotKeep) {
    EXPECT_FALSE(OnlineMixture::from(first_guess(), OnlineSteps{0}));
    EXPECT_FALSE(OnlineMixture::from(first_guess(), OnlineSteps{1.5}));
    EXPECT_FALSE(OnlineMixture::from(first_guess(), OnlineSteps{1, 0}));
    auto online = OnlineMixture::from(first_guess(), OnlineSteps{1}).value();
    const std::vector<double> two{1, 2};
    EXPECT_FALSE(online.learn({DenseBlock{two.data(), Element::f64, 1, 2, 2, 1}, {}, {}, 0}));
}

}  // namespace
}  // namespace suffice
