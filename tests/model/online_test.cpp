// Row by row equals all at once: the same statistics, the same posteriors, with and without forgetting.
#include "suffice/model/online.hpp"

#include <cmath>

#include "model/real_data.hpp"
#include <gtest/gtest.h>

namespace suffice {
namespace {

// Iris with its classes mixed: row 59 k mod 150, k = 0, 1, ...
RealTable shuffled_iris() {
    const RealTable iris = read_iris();
    RealTable table{{}, {}, {}, iris.schema};
    for (std::size_t k = 0; k < 150; ++k) {
        const std::size_t row = 59 * k % 150;
        for (std::size_t i = 0; i < 4; ++i) table.values.push_back(iris.values[row * 4 + i]);
        table.labels.push_back(iris.labels[row]);
    }
    return table;
}

std::span<const double> row_of(const RealTable& table, std::size_t row) {
    return std::span(table.values).subspan(row * table.width(), table.width());
}

OnlineClassifier learned(const RealTable& table, const Recipe& recipe, double memory) {
    auto online = OnlineClassifier::from(make_state(recipe, table.schema).value(), memory).value();
    for (std::size_t row = 0; row < table.size(); ++row)
        EXPECT_TRUE(online.learn(row_of(table, row), static_cast<std::size_t>(table.labels[row])));
    return online;
}

void expect_posteriors(OnlineClassifier& online, const Classifier& batch, const RealTable& table,
                       const std::string& what) {
    std::vector<double> scores(table.schema.classes.size());
    const Matrix expected = batch.posteriors(table.rows()).value();
    for (std::size_t row = 0; row < table.size(); ++row) {
        ASSERT_TRUE(online.score(row_of(table, row), scores));
        for (std::size_t c = 0; c < scores.size(); ++c)
            ASSERT_NEAR(std::exp(scores[c]), expected(row, c), 1e-9) << what << ", row " << row;
    }
}

std::vector<std::pair<std::string, Recipe>> recipes() {
    std::vector<std::pair<std::string, Recipe>> all;
    for (const char* model : {"gnb", "lda", "qda", "dlda", "spherical_discriminant"}) all.push_back({model, {model}});
    Recipe grouped{"grouped_discriminant"};
    grouped.settings.groups = {{"setosa", "virginica"}, {"versicolor"}};
    all.push_back({"grouped", grouped});
    Recipe unbiased{"qda"};
    unbiased.settings.estimate = Estimate::unbiased;
    all.push_back({"unbiased", unbiased});
    Recipe uniform{"lda"};
    uniform.settings.priors = PriorRule::uniform;
    all.push_back({"uniform", uniform});
    return all;
}

TEST(Online, RowByRowEqualsAllAtOnce) {
    const RealTable table = shuffled_iris();
    for (const auto& [what, recipe] : recipes()) {
        OnlineClassifier online = learned(table, recipe, 1);
        const Classifier batch = table.fit(recipe);
        expect_posteriors(online, batch, table, what);
        expect_posteriors(online, Classifier::from(online.state()).value(), table, what);
        EXPECT_NEAR(online.state().statistic.weight(), 150, 1e-9);
    }
}

TEST(Online, ForgettingEqualsWeightsThatFade) {
    for (const double memory : {0.99, 0.97}) {
        RealTable table = shuffled_iris();
        std::vector<double> weights;
        for (std::size_t row = 0; row < table.size(); ++row)
            weights.push_back(std::pow(memory, static_cast<double>(table.size() - 1 - row)));
        for (const auto& [what, recipe] : recipes()) {
            OnlineClassifier online = learned(table, recipe, memory);
            RealTable faded = table;
            faded.weights = weights;
            expect_posteriors(online, faded.fit(recipe), table, what);
            expect_posteriors(online, Classifier::from(online.state()).value(), table, what);
        }
    }
}

// Weights grow past every bound unless they are brought back: 3,000 rows at 0.97 are a factor of 1e39.
TEST(Online, ForgettingForLongStaysFiniteAndExact) {
    const RealTable iris = shuffled_iris();
    RealTable table = iris;
    for (int time = 1; time < 20; ++time) {
        table.values.insert(table.values.end(), iris.values.begin(), iris.values.end());
        table.labels.insert(table.labels.end(), iris.labels.begin(), iris.labels.end());
    }
    for (const auto& [what, recipe] : recipes()) {
        OnlineClassifier online = learned(table, recipe, 0.97);
        RealTable faded = table;
        for (std::size_t row = 0; row < table.size(); ++row)
            faded.weights.push_back(std::pow(0.97, static_cast<double>(table.size() - 1 - row)));
        expect_posteriors(online, faded.fit(recipe), iris, what);
    }
}

TEST(Online, LearnsOnFromAFittedModel) {
    const RealTable table = shuffled_iris();
    const RealTable first = table.where([](std::size_t row) { return row < 60; });
    for (const auto& [what, recipe] : recipes()) {
        auto online = OnlineClassifier::from(first.fit(recipe).state()).value();
        for (std::size_t row = 60; row < table.size(); ++row)
            ASSERT_TRUE(online.learn(row_of(table, row), static_cast<std::size_t>(table.labels[row])));
        expect_posteriors(online, table.fit(recipe), table, what);
    }
}

TEST(Online, MixedColumnsEqualAllAtOnce) {
    RealTable table;
    table.schema.columns = {
        {"x"}, {"count"}, {"flag", ColumnKind::flag}, {"colour", ColumnKind::category, {"a", "b", "c"}}};
    table.schema.classes = {"no", "yes"};
    for (int k = 0; k < 30; ++k) {
        table.values.insert(table.values.end(), {k % 5 == 4 ? std::nan("") : 0.3 * k - k % 3, 1.0 * (k * 7 % 11),
                                                 1.0 * (k % 2), 1.0 * (k % 3)});
        table.labels.push_back(k % 4 == 1);
    }
    Recipe recipe{"nb"};
    recipe.families = {{"count", "poisson"}};
    OnlineClassifier online = learned(table, recipe, 1);
    expect_posteriors(online, table.fit(recipe), table, "mixed");
    OnlineClassifier fading = learned(table, recipe, 0.9);
    expect_posteriors(fading, Classifier::from(fading.state()).value(), table, "mixed, fading");
}

TEST(Online, AnswersFromTheFirstRowOn) {
    const RealTable table = shuffled_iris();
    for (const auto& [what, recipe] : recipes()) {
        auto online = OnlineClassifier::from(make_state(recipe, table.schema).value()).value();
        std::vector<double> scores(3);
        for (std::size_t row = 0; row < 40; ++row) {
            ASSERT_TRUE(online.score(row_of(table, row), scores)) << what;
            double sum = 0;
            for (double score : scores) {
                EXPECT_TRUE(std::isfinite(score)) << what << ", row " << row;
                sum += std::exp(score);
            }
            EXPECT_NEAR(sum, 1, 1e-9) << what << ", row " << row;
            ASSERT_TRUE(online.learn(row_of(table, row), static_cast<std::size_t>(table.labels[row]))) << what;
        }
    }
}

TEST(Online, AConstantColumnDoesNoHarm) {
    RealTable table = shuffled_iris();
    for (std::size_t row = 0; row < 150; ++row) table.values[row * 4 + 2] = 7;
    for (const char* model : {"gnb", "lda", "qda"})
        for (const double memory : {1.0, 0.9}) {
            OnlineClassifier online = learned(table, {model}, memory);
            std::size_t right = 0;
            for (std::size_t row = 0; row < 150; ++row)
                right += online.predict(row_of(table, row)).value() == static_cast<std::size_t>(table.labels[row]);
            EXPECT_GT(right, 120u) << model << ' ' << memory;
        }
}

TEST(Online, BadInputChangesNothing) {
    const RealTable table = shuffled_iris();
    for (const char* model : {"gnb", "qda"}) {
        OnlineClassifier online = learned(table, {model}, 0.99);
        const ModelState before = online.state();
        const double infinite[] = {1, 2, INFINITY, 4}, hole[] = {1, 2, std::nan(""), 4}, good[] = {1, 2, 3, 4};
        const auto refused = online.learn(infinite, 0);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().column, table.schema.columns[2].name);
        EXPECT_FALSE(online.learn(good, 3));
        EXPECT_FALSE(online.learn(good, 0, -1));
        EXPECT_FALSE(online.learn(std::span(good).first(3), 0));
        if (std::string(model) == "qda") {
            EXPECT_FALSE(online.learn(hole, 0));
        }
        EXPECT_TRUE(online.learn(good, 0, 0));
        EXPECT_EQ(online.state(), before) << model;
    }
    EXPECT_FALSE(OnlineClassifier::from(make_state({"qda"}, table.schema).value(), 0));
}

TEST(Online, IsRefusedWhereAFactorCannotFollowTheRows) {
    const RealTable table = shuffled_iris();
    Recipe recipe{"lda"};
    recipe.settings.rank = 1;
    EXPECT_EQ(OnlineClassifier::from(make_state(recipe, table.schema).value(), 1).error().message,
              "a reduced rank cannot be learned row by row, as the discriminant coordinates turn with every row");
    recipe.settings.rank = 0;
    for (const auto shrinkage : {ShrinkageRule::ledoit_wolf, ShrinkageRule::automatic}) {
        recipe.settings.shrinkage = shrinkage;
        EXPECT_EQ(OnlineClassifier::from(make_state(recipe, table.schema).value(), 1).error().message,
                  "an estimated shrinkage cannot be learned row by row; give the shrinkage as a number");
    }
}

}  // namespace
}  // namespace suffice
