// Cross-validation by subtraction equals refitting.
#include "suffice/compare/cross_validation.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

struct Sample {
    std::vector<double> values;
    std::vector<std::int32_t> labels;
    Schema schema;

    explicit Sample(std::size_t rows) {
        Rng rng(11, "sample");
        for (std::size_t row = 0; row < rows; ++row) {
            labels.push_back(static_cast<std::int32_t>(rng.below(3)));
            const double c = labels.back();
            const double shared = sample_normal(rng);
            values.push_back(c + shared);
            values.push_back(shared - c * 0.5 + (1 + c) * sample_normal(rng));
            values.push_back(sample_normal(rng));
        }
        schema.columns = {{"a"}, {"b"}, {"c"}};
        schema.classes = {"x", "y", "z"};
    }
    LabeledBlock block() const {
        return {DenseBlock{values.data(), Element::f64, labels.size(), 3, 3, 1}, labels, {}, 0};
    }
};

// The folds are found by asking: a fold's rows are those that the stratified plan gives, one class after the other.
double brute_force_loss(const Sample& sample, const Candidate& candidate, std::uint32_t folds, std::uint64_t seed) {
    std::vector<std::vector<std::uint32_t>> order(3);
    Rng rng(seed, "folds");
    for (auto& each : order) {
        for (std::uint32_t f = 0; f < folds; ++f) each.push_back(f);
        shuffle(std::span(each), rng);
    }
    std::vector<std::uint32_t> fold;
    std::vector<std::size_t> count(3);
    for (const auto label : sample.labels) {
        const auto c = static_cast<std::size_t>(label);
        fold.push_back(order[c][count[c]++ % folds]);
    }
    double loss = 0;
    for (std::uint32_t f = 0; f < folds; ++f) {
        std::vector<std::int32_t> labels = sample.labels;
        for (std::size_t row = 0; row < labels.size(); ++row)
            if (fold[row] == f) labels[row] = -1;
        LabeledBlock rows = sample.block();
        rows.label = labels;
        MemoryStream stream(rows, sample.schema);
        const auto model = fit(make_state(candidate.recipe, sample.schema).value(), stream).value();
        const auto p = model.posteriors(rows.rows).value();
        for (std::size_t row = 0; row < labels.size(); ++row)
            if (fold[row] == f) loss -= std::log(p(row, static_cast<std::size_t>(sample.labels[row])));
    }
    return loss / static_cast<double>(sample.labels.size());
}

TEST(CrossValidation, EqualsRefittingForEveryCandidate) {
    const Sample sample(5000);
    MemoryStream stream(sample.block(), sample.schema);
    Context context;
    context.seed = 3;
    const auto candidates = usual_candidates(sample.schema);
    const auto compared = cross_validate(stream, sample.schema, candidates, {5}, context).value();
    ASSERT_EQ(compared.size(), candidates.size());
    for (const auto& candidate : candidates) {
        const auto same = [&](const Compared& each) {
            return each.model == candidate.model && each.options == candidate.options;
        };
        const auto found = std::ranges::find_if(compared, same);
        ASSERT_TRUE(found->failure.empty()) << found->failure;
        EXPECT_NEAR(found->log_loss, brute_force_loss(sample, candidate, 5, 3), 1e-9)
            << candidate.model << candidate.options;
    }
}

TEST(CrossValidation, ListsTheBestFirstAndNamesTheSameForAnyThreads) {
    const Sample sample(20000);
    std::vector<double> losses;
    for (unsigned threads : {1u, 3u}) {
        MemoryStream stream(sample.block(), sample.schema);
        Context context;
        context.thread_count = threads;
        const auto compared =
            cross_validate(stream, sample.schema, usual_candidates(sample.schema), {10}, context).value();
        for (std::size_t k = 1; k < compared.size(); ++k) EXPECT_LE(compared[k - 1].log_loss, compared[k].log_loss);
        losses.push_back(compared[0].log_loss);
    }
    EXPECT_EQ(losses[0], losses[1]);
}

TEST(CrossValidation, OneFoldIsRefused) {
    const Sample sample(50);
    MemoryStream stream(sample.block(), sample.schema);
    EXPECT_FALSE(cross_validate(stream, sample.schema, usual_candidates(sample.schema), {1}, {}));
}

}  // namespace
}  // namespace suffice
