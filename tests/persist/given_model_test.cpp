// A model of stated parameters, saved and loaded, does everything that it did before, to the last bit.
#include <gtest/gtest.h>

#include "suffice/model/given.hpp"
#include "suffice/persist/model_file.hpp"

namespace suffice {
namespace {

GivenModel mixed() {
    return {{"a", "b"},
            {0.3, 0.7},
            {"x", "y"},
            {{0, 0}, {2, 1}},
            {{2, 0.5, 0.5, 1}, {1, -0.2, -0.2, 3}},
            {{"word", "categorical", {{0.7, 0.2, 0.1}, {0.1, 0.3, 0.6}}, {"win", "hello", "dear"}},
             {"marks", "poisson", {{4}, {1.5}}}}};
}

Classifier reloaded(const Classifier& model) {
    const std::string bytes = to_file_bytes({model.state(), {}});
    return Classifier::from(std::get<ModelState>(from_file_bytes(bytes).value().state)).value();
}

TEST(GivenModel, SavedAndLoadedGivesTheSameScoresRowsAndExplanations) {
    const Classifier model = classifier_from(mixed()).value(), again = reloaded(model);
    EXPECT_EQ(again, model);
    const std::size_t width = model.schema().columns.size();
    Rng first(3), second(3);
    std::vector<double> drawn;
    for (std::size_t row = 0; row < 200; ++row) {
        const SampledRow one = model.sample(row % 2, first);
        EXPECT_EQ(again.sample(row % 2, second).values, one.values);
        drawn.insert(drawn.end(), one.values.begin(), one.values.end());
    }
    const Block rows = DenseBlock{drawn.data(), Element::f64, 200, width, static_cast<std::ptrdiff_t>(width), 1};
    EXPECT_EQ(again.posteriors(rows).value().values, model.posteriors(rows).value().values);
    for (std::size_t row = 0; row < 200; row += 37) {
        const Explanation mine = model.explain(rows, row).value(), other = again.explain(rows, row).value();
        EXPECT_EQ(other.intercept, mine.intercept);
        ASSERT_EQ(other.terms.size(), mine.terms.size());
        for (std::size_t k = 0; k < mine.terms.size(); ++k) EXPECT_EQ(other.terms[k].by_class, mine.terms[k].by_class);
    }
}

TEST(GivenModel, SavedAndLoadedShowsTheStatedParameters) {
    const Description shown = reloaded(classifier_from(mixed()).value()).describe();
    ASSERT_EQ(shown.covariances.size(), 2u);
    const std::vector<double> stated[] = {{2, 0.5, 0.5, 1}, {1, -0.2, -0.2, 3}};
    for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(shown.covariances[c].values[k], stated[c][k], 1e-12);
    bool seen_rate = false;
    for (const auto& column : shown.columns)
        if (column.family == "poisson") {
            seen_rate = true;
            EXPECT_NEAR(column.by_class[0].number("rate"), 4, 1e-12);
            EXPECT_NEAR(column.by_class[1].number("rate"), 1.5, 1e-12);
        }
    EXPECT_TRUE(seen_rate);
}

TEST(GivenModel, SavedAndLoadedHasTheSameSimulatedBayesError) {
    const Classifier model = classifier_from(mixed()).value();
    Rng first(9), second(9);
    const auto before = simulate_bayes_error(model, 2000, first).value();
    const auto after = simulate_bayes_error(reloaded(model), 2000, second).value();
    EXPECT_EQ(after.error, before.error);
    EXPECT_EQ(after.standard_error, before.standard_error);
    EXPECT_GT(before.error, 0);
    EXPECT_LT(before.error, 0.3);  // below what the prior alone gives
}

}  // namespace
}  // namespace suffice
