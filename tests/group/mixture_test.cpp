// EM over Parts, on data whose maximum is published.
#include <cmath>

#include <gtest/gtest.h>

#include "suffice/group/mixture_fit.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/model/recipe.hpp"

namespace suffice {
namespace {

// Two Gaussian clouds and no labels.
struct MixtureClouds {
    std::vector<double> values;
    Schema schema;
    MixtureClouds() {
        Rng rng(7, "clouds");
        for (int row = 0; row < 2000; ++row) {
            const double side = row % 3 == 0 ? 6 : 0;
            values.push_back(side + sample_normal(rng));
            values.push_back(-side + 2 * sample_normal(rng));
        }
        schema.columns = {{"a"}, {"b"}};
        schema.classes = {"one", "two"};
    }
    LabeledBlock block() const {
        return {DenseBlock{values.data(), Element::f64, values.size() / 2, 2, 2, 1}, {}, {}, 0};
    }
};

TEST(Mixture, FindsTwoCloudsAndItsLikelihoodNeverFalls) {
    const MixtureClouds clouds;
    MemoryStream stream(clouds.block(), clouds.schema);
    const double corners[] = {5, -5, 1, 1};
    const auto recipe = make_state({.model = "qda"}, clouds.schema).value();
    Classifier current = spread_start(recipe, stream, DenseBlock{corners, Element::f64, 2, 2, 2, 1}, {}).value();
    const Mixture mixture{current, {0, 1}};
    double before = -std::numeric_limits<double>::infinity();
    for (int step = 0; step < 60; ++step) {
        ASSERT_TRUE(stream.rewind());
        current = mixture.step(current, fold(mixture.pass(current), stream, {}).value()).value();
        const double now = current.state().statistic.log_likelihood;
        EXPECT_GE(now, before - 1e-9 * std::abs(now)) << "the log-likelihood fell in step " << step;
        before = now;
    }
    EXPECT_NEAR(std::exp(current.log_prior()[0]), 1.0 / 3, 0.02);
}

TEST(Mixture, HasTheSameBitsForAnyNumberOfThreads) {
    const MixtureClouds clouds;
    const auto recipe = make_state({.model = "gnb"}, clouds.schema).value();
    const double corners[] = {5, -5, 1, 1};
    std::vector<double> answers;
    for (unsigned threads : {1u, 2u, 3u, 7u}) {
        Context context;
        context.thread_count = threads;
        MemoryStream stream(clouds.block(), clouds.schema);
        const auto first = spread_start(recipe, stream, DenseBlock{corners, Element::f64, 2, 2, 2, 1}, context).value();
        answers.push_back(
            continue_mixture(first, stream, {.step_limit = 20, .tolerance = 0}, context).value().log_likelihood);
    }
    for (double answer : answers) EXPECT_EQ(answer, answers[0]);
}

}  // namespace
}  // namespace suffice
