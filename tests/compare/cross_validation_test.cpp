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
        Matrix log_posterior(labels.size(), 3);
        ScoreSink sink;
        sink.form = ScoreSink::Form::log_posterior;
        sink.scores = log_posterior.values.data();
        sink.stride = 3;
        model.score(rows.rows, sink, {}).value();
        for (std::size_t row = 0; row < labels.size(); ++row)
            if (fold[row] == f) loss -= log_posterior(row, static_cast<std::size_t>(sample.labels[row]));
    }
    return loss / static_cast<double>(sample.labels.size());
}

std::vector<Compared> compare_on(Stream& stream, const Sample& sample, const std::vector<Candidate>& candidates,
                                 std::uint32_t folds, const Context& context) {
    const auto plan = FoldPlan::stratified(stream, sample.schema.classes.size(), folds, context).value();
    return cross_validate(stream, sample.schema, candidates, {&plan, 1}, context).value().models;
}

TEST(CrossValidation, EqualsRefittingForEveryCandidate) {
    const Sample sample(1500);
    MemoryStream stream(sample.block(), sample.schema);
    Context context;
    context.seed = 3;
    const auto candidates = usual_candidates(sample.schema, 1500);
    const auto compared = compare_on(stream, sample, candidates, 5, context);
    ASSERT_EQ(compared.size(), candidates.size());
    for (const auto& candidate : candidates) {
        const auto same = [&](const Compared& each) {
            return each.model == candidate.model && each.options == candidate.options;
        };
        const auto found = std::ranges::find_if(compared, same);
        ASSERT_TRUE(found->failure.sentence.empty()) << found->failure.sentence;
        EXPECT_NEAR(found->log_loss, brute_force_loss(sample, candidate, 5, 3), 1e-9) << candidate.model;
    }
}

TEST(CrossValidation, ListsTheBestFirstAndNamesTheSameForAnyThreads) {
    const Sample sample(20000);
    std::vector<double> losses;
    for (unsigned threads : {1u, 3u}) {
        MemoryStream stream(sample.block(), sample.schema);
        Context context;
        context.thread_count = threads;
        const auto compared = compare_on(stream, sample, usual_candidates(sample.schema), 10, context);
        for (std::size_t k = 1; k < compared.size(); ++k)
            EXPECT_LE(compared[k - 1].log_loss, compared[k].log_loss * (1 + 1e-9));  // alike ones by name
        losses.push_back(compared[0].log_loss);
    }
    EXPECT_EQ(losses[0], losses[1]);
}

TEST(CrossValidation, OneFoldIsRefused) {
    const Sample sample(50);
    MemoryStream stream(sample.block(), sample.schema);
    EXPECT_FALSE(FoldPlan::stratified(stream, 3, 1, {}));
    EXPECT_FALSE(FoldPlan::given({0, 0, 0}));
}

TEST(CrossValidation, AModelFittedAnewForEachFoldEqualsTheSameModelBySubtraction) {
    const Sample sample(3000);
    MemoryStream stream(sample.block(), sample.schema);
    std::vector<Candidate> candidates{{"linear_discriminant", {}, {.model = "linear_discriminant"}, {}}};
    candidates.push_back(candidates[0]);
    candidates[1].options = {{"again"}};
    candidates[1].fit_again = [](const Schema& schema, Stream& rows,
                                 const Context& context) -> Result<std::shared_ptr<const Predictor>> {
        return std::shared_ptr<const Predictor>(std::make_shared<const Classifier>(
            fit(make_state({.model = "linear_discriminant"}, schema).value(), rows, context).value()));
    };
    const auto compared = compare_on(stream, sample, candidates, 5, {});
    EXPECT_NEAR(compared[0].log_loss, compared[1].log_loss, 1e-10);
    EXPECT_EQ(compared[0].accuracy, compared[1].accuracy);
}

// A level and a class that are in the last fold only: the model for that fold must be as if they did not exist.
TEST(CrossValidation, LevelsAndClassesOfTheFoldLeftOutAreUnknownToItsModel) {
    Schema schema;
    schema.columns = {{"colour", ColumnKind::category, {"blue", "green", "red"}}, {"x"}};
    schema.classes = {"a", "b", "c"};
    std::vector<double> values;
    std::vector<std::int32_t> labels;
    std::vector<std::uint32_t> folds;
    Rng rng(5, "levels");
    for (std::uint32_t row = 0; row < 90; ++row) {
        const bool last = row >= 60;
        labels.push_back(row == 89 ? 0 : 1 + static_cast<std::int32_t>(rng.below(2)));
        values.push_back(last && row % 5 == 0 ? 0 : 1 + static_cast<double>(rng.below(2)));  // blue at the end only
        values.push_back(labels.back() + sample_normal(rng));
        folds.push_back(row / 30);
    }
    const LabeledBlock rows{DenseBlock{values.data(), Element::f64, 90, 2, 2, 1}, labels, {}, 0};
    MemoryStream stream(rows, schema);
    const Candidate nb{"naive_bayes", {}, {.model = "naive_bayes"}, {}};
    const auto compared =
        cross_validate(stream, schema, {nb}, std::vector{FoldPlan::given(folds).value()}, {}).value().models;
    double loss = 0;
    for (std::uint32_t f = 0; f < 3; ++f) {
        std::vector<std::int32_t> left = labels;
        std::fill_n(left.begin() + f * 30, 30, -1);
        std::vector<double> seen = values, asked = values;
        Schema known = schema;
        if (f == 2) {  // without blue and a
            known.columns[0].levels = {"green", "red"};
            known.classes = {"b", "c"};
            for (std::size_t row = 0; row < 90; ++row) {
                seen[row * 2] = row < 60 ? seen[row * 2] - 1 : std::nan("");
                asked[row * 2] = asked[row * 2] == 0 ? unseen_level : asked[row * 2] - 1;
                if (left[row] >= 0) --left[row];
            }
        }
        MemoryStream rest({DenseBlock{seen.data(), Element::f64, 90, 2, 2, 1}, left, {}, 0}, known);
        const auto model = fit(make_state(nb.recipe, known).value(), rest).value();
        const auto p = model.posteriors(DenseBlock{asked.data(), Element::f64, 90, 2, 2, 1}).value();
        for (std::size_t row = f * 30; row < f * 30 + 30; ++row) {
            const auto truth = labels[row] - (f == 2 ? 1 : 0);
            loss -= truth < 0 ? std::log(std::numeric_limits<double>::min())
                              : std::log(p(row, static_cast<std::size_t>(truth)));
        }
    }
    EXPECT_NEAR(compared[0].log_loss, loss / 90, 1e-9);
}

TEST(CrossValidation, GivenFoldsAreKept) {
    const Sample sample(900);
    MemoryStream stream(sample.block(), sample.schema);
    std::vector<std::uint32_t> folds;
    for (std::uint32_t row = 0; row < 900; ++row) folds.push_back(row / 300);
    const auto plan = FoldPlan::given(folds).value();
    const Candidate lda{"linear_discriminant", {}, {.model = "linear_discriminant"}, {}};
    const auto compared = cross_validate(stream, sample.schema, {lda}, {&plan, 1}, {}).value().models;
    double loss = 0;
    for (std::uint32_t f = 0; f < 3; ++f) {
        std::vector<std::int32_t> labels = sample.labels;
        std::fill_n(labels.begin() + f * 300, 300, -1);
        LabeledBlock rows = sample.block();
        rows.label = labels;
        MemoryStream rest(rows, sample.schema);
        const auto p = fit(make_state(lda.recipe, sample.schema).value(), rest).value().posteriors(rows.rows).value();
        for (std::size_t row = f * 300; row < f * 300 + 300; ++row)
            loss -= std::log(p(row, static_cast<std::size_t>(sample.labels[row])));
    }
    EXPECT_NEAR(compared[0].log_loss, loss / 900, 1e-10);
}

TEST(CrossValidation, LeavingEachOutEqualsAsManyFoldsAsRows) {
    const Sample sample(60);
    MemoryStream stream(sample.block(), sample.schema);
    std::vector<std::uint32_t> folds(60);
    for (std::uint32_t row = 0; row < 60; ++row) folds[row] = row;
    const std::vector<Candidate> candidates{{"linear_discriminant", {}, {.model = "linear_discriminant"}, {}},
                                            {"naive_bayes", {}, {.model = "naive_bayes"}, {}}};
    const auto one_by_one =
        cross_validate(stream, sample.schema, candidates, std::vector{FoldPlan::given(folds).value()}, {})
            .value()
            .models;
    const auto closed = leave_each_out(sample.block(), sample.schema, candidates, {}).value().models;
    for (std::size_t m = 0; m < 2; ++m) {
        EXPECT_EQ(closed[m].model, one_by_one[m].model);
        EXPECT_NEAR(closed[m].log_loss, one_by_one[m].log_loss, 1e-9);
        EXPECT_EQ(closed[m].accuracy, one_by_one[m].accuracy);
    }
}

TEST(CrossValidation, ALearningCurveEndsAtTheCrossValidatedScore) {
    const Sample sample(2000);
    MemoryStream stream(sample.block(), sample.schema);
    const auto plan = FoldPlan::stratified(stream, 3, 5, {}).value();
    const auto done =
        cross_validate(stream, sample.schema, usual_candidates(sample.schema), {&plan, 1}, {}, {.curve_models = 2})
            .value();
    ASSERT_EQ(done.curve.size(), 8u);
    EXPECT_NEAR(done.curve[3].rows, 1600, 1);
    EXPECT_NEAR(done.curve[3].log_loss, done.models[0].log_loss, 1e-9);
    EXPECT_GT(done.curve[0].log_loss, done.curve[3].log_loss);
}

}  // namespace
}  // namespace suffice
