// Mixtures over batches: what is kept, what is forgotten, and where they end.
#include "suffice/model/online_mixture.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "suffice/math/sampling.hpp"
#include "suffice/model/gaussian_mixture.hpp"

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
    auto online = OnlineMixture::from(first_guess(), 0.98).value();
    for (std::uint64_t batch = 0; batch < 150; ++batch)
        ASSERT_TRUE(online.learn(block_of(two_clouds(200, -3, 3, batch))));
    const auto means = sorted_means(online.model());
    EXPECT_NEAR(means[0], -3, 0.1);
    EXPECT_NEAR(means[1], 3, 0.1);
}

TEST(OnlineMixture, FollowsCloudsThatMoveWhereItForgets) {
    auto keeping = OnlineMixture::from(first_guess(), 1).value(),
         forgetting = OnlineMixture::from(first_guess(), 0.8).value();
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
    auto online = OnlineMixture::from(first, 1e-9).value();  // what the guess weighed is as good as gone
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

TEST(OnlineMixture, RefusesWhatItCannotKeep) {
    EXPECT_FALSE(OnlineMixture::from(first_guess(), 0));
    EXPECT_FALSE(OnlineMixture::from(first_guess(), 1.5));
    auto online = OnlineMixture::from(first_guess(), 1).value();
    const std::vector<double> two{1, 2};
    EXPECT_FALSE(online.learn({DenseBlock{two.data(), Element::f64, 1, 2, 2, 1}, {}, {}, 0}));
}

}  // namespace
}  // namespace suffice
