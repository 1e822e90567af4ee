// Models without data against closed forms, and covariances shared by some classes.
#include "suffice/model/given.hpp"

#include <cmath>

#include "model/labeled_table.hpp"
#include <gtest/gtest.h>

namespace suffice {
namespace {

GivenModel two_gaussians(double prior) {
    return {{"a", "b"}, {prior, 1 - prior}, {"x", "y"}, {{0, 0}, {2, 1}}, {{2, 0.5, 0.5, 1}}, {}};
}

Block one_row(const std::vector<double>& values) {
    return DenseBlock{values.data(), Element::f64, 1, values.size(), static_cast<std::ptrdiff_t>(values.size()), 1};
}

// w = S^-1 (m_a - m_b), w0 = -(m_a' S^-1 m_a - m_b' S^-1 m_b) / 2 + log p_a / p_b.
TEST(GivenModel, TwoGaussiansOfOneCovarianceGiveTheLogisticOfTheTextbook) {
    const auto model = classifier_from(two_gaussians(0.3)).value();
    const double determinant = 2 * 1 - 0.25;
    const double w[] = {(1 * -2 - 0.5 * -1) / determinant, (-0.5 * -2 + 2 * -1) / determinant};
    const double w0 = 0.5 * (-(w[0] * 2 + w[1] * 1)) + std::log(0.3 / 0.7);
    for (const auto& x : {std::vector{0.0, 0.0}, {1.0, 0.5}, {3.0, -2.0}}) {
        const auto p = model.posteriors(one_row(x)).value();
        EXPECT_NEAR(p(0, 0), 1 / (1 + std::exp(-(w[0] * x[0] + w[1] * x[1] + w0))), 1e-14);
    }
    EXPECT_TRUE(model.state().valid());
}

// Equal priors: the error of the best rule is the normal distribution function at -distance / 2.
TEST(GivenModel, BayesErrorIsThatOfTheDistanceBetweenTheMeans) {
    const auto model = classifier_from(two_gaussians(0.5)).value();
    const double squared = (1 * 4 - 2 * 0.5 * 2 * 1 + 2 * 1) / (2 * 1 - 0.25);
    Rng rng(7);
    const auto simulated = simulate_bayes_error(model, 40000, rng).value();
    EXPECT_NEAR(simulated.error, 0.5 * std::erfc(std::sqrt(squared) / 2 / std::sqrt(2.0)),
                4 * simulated.standard_error);
    EXPECT_LT(simulated.standard_error, 0.002);
}

TEST(GivenModel, WhatIsNoCovarianceIsRefusedWithItsEigenvalue) {
    GivenModel given = two_gaussians(0.5);
    given.covariances = {{1, 2, 2, 1}};  // eigenvalues 3 and -1
    EXPECT_NE(classifier_from(given).error().message.find("eigenvalue -1"), std::string::npos);
    given.covariances = {{1, 1, 1, 1}};  // 2 and 0: no density either
    EXPECT_NE(classifier_from(given).error().message.find("eigenvalue 0"), std::string::npos);
    given.covariances = {{1, 0, 0, 1}, {1, 0.5, -0.5, 1}};
    EXPECT_NE(classifier_from(given).error().message.find("class b is not symmetric"), std::string::npos);
    given.covariances = {{1e-6, 0, 0, 1e9}};  // units may differ as they like
    EXPECT_TRUE(classifier_from(given));
}

TEST(GivenModel, TablesAndRatesFollowBayesRule) {
    const GivenModel given{{"spam", "ham"},
                           {0.4, 0.6},
                           {},
                           {},
                           {},
                           {{"word", "categorical", {{0.7, 0.2, 0.1}, {0.1, 0.3, 0.6}}, {"win", "hello", "dear"}},
                            {"link", "bernoulli", {{0.8}, {0.25}}},
                            {"marks", "poisson", {{4}, {1.5}}},
                            {"length", "gaussian", {{10, 4}, {20, 9}}}}};
    const auto model = classifier_from(given).value();
    ASSERT_EQ(model.schema().classes, (std::vector<std::string>{"ham", "spam"}));  // sorted, as everywhere
    const std::vector<double> row{1, 1, 3, 14};
    const auto normal = [](double x, double m, double v) {
        return std::exp(-(x - m) * (x - m) / (2 * v)) / std::sqrt(2 * 3.14159265358979323846 * v);
    };
    const double spam = 0.4 * 0.2 * 0.8 * (std::exp(-4.0) * 64 / 6) * normal(14, 10, 4);
    const double ham = 0.6 * 0.3 * 0.25 * (std::exp(-1.5) * 3.375 / 6) * normal(14, 20, 9);
    const auto joint = testing_rows::log_joints(model, one_row(row));
    EXPECT_NEAR(joint(0, 0), std::log(ham), 1e-12);
    EXPECT_NEAR(joint(0, 1), std::log(spam), 1e-12);
    const auto explanation = model.explain(one_row(row), 0).value();
    double sum = explanation.intercept[1];
    for (const auto& term : explanation.terms) sum += term.by_class[1];
    EXPECT_NEAR(sum, std::log(spam), 1e-12);
}

TEST(GivenModel, WhatDoesNotFitIsRefusedInASentence) {
    auto priors = two_gaussians(0.3);
    priors.priors[0] = 0.4;
    EXPECT_EQ(classifier_from(priors).error().message, "the priors must be above 0 and sum to 1");
    auto mean = two_gaussians(0.3);
    mean.means[1].pop_back();
    EXPECT_EQ(classifier_from(mean).error().message, "the mean of class b must have 2 numbers");
    auto crooked = two_gaussians(0.3);
    crooked.covariances[0][1] = 0.7;
    EXPECT_FALSE(classifier_from(crooked));
    GivenModel table{{"a", "b"}, {0.5, 0.5}, {}, {}, {}, {{"x", "categorical", {{0.5, 0.4}, {0.5, 0.5}}, {"u", "v"}}}};
    EXPECT_EQ(classifier_from(table).error().column, "x");
}

// Classes a and b share a covariance, c has its own: the boundary a|b is a plane, those of c are curved.
TEST(Groups, BoundaryInsideAGroupIsLinearAndOthersAreQuadratic) {
    testing_rows::LabeledTable table;
    table.name_numbers(3, 3);
    Rng rng(3);
    for (std::size_t row = 0; row < 300; ++row) {
        const auto c = static_cast<std::int32_t>(row % 3);
        table.labels.push_back(c);
        for (int k = 0; k < 3; ++k)
            table.values.push_back((rng.uniform() + rng.uniform() + k * rng.uniform()) * (c + 1) + c);
    }
    Recipe recipe{.model = "grouped_discriminant"};
    recipe.settings.groups = {{"c0", "c1"}, {"c2"}};
    const auto model = testing_rows::fit_table(table, recipe).value();
    const auto form = model.form().value();
    ASSERT_EQ(form.quadratic[0].size(), 9u);
    EXPECT_EQ(form.quadratic[0], form.quadratic[1]);  // bit for bit
    EXPECT_NE(form.quadratic[0], form.quadratic[2]);
    const auto joint = testing_rows::log_joints(model, table.rows());
    for (std::size_t row = 0; row < 300; row += 13)
        for (std::size_t c = 0; c < 3; ++c) {
            double score = form.constant[c];
            for (std::size_t i = 0; i < 3; ++i) {
                const double x = table.values[row * 3 + i];
                score += form.linear[c][i] * x;
                for (std::size_t j = 0; j < 3; ++j)
                    score += x * form.quadratic[c][i * 3 + j] * table.values[row * 3 + j];
            }
            EXPECT_NEAR(score, joint(row, c), 1e-8 * std::abs(score) + 1e-8);
        }
    EXPECT_EQ(model.parameter_count(), 3u * 3 + 2 * 6 + 2);
    // What each group has is what it would have if fitted alone with one covariance.
    testing_rows::LabeledTable pair;
    pair.name_numbers(3, 2);
    for (std::size_t row = 0; row < 300; ++row)
        if (table.labels[row] < 2) {
            pair.labels.push_back(table.labels[row]);
            for (std::size_t k = 0; k < 3; ++k) pair.values.push_back(table.values[row * 3 + k]);
        }
    const auto alone = testing_rows::fit_table(pair, {.model = "lda"}).value().describe().covariances[0].values;
    const auto shared = model.describe().covariances[0].values;
    for (std::size_t at = 0; at < 9; ++at) EXPECT_NEAR(shared[at], alone[at], 1e-12 * std::abs(alone[0]));
}

TEST(Groups, ClassesThatAreUnknownTwiceOrNowhereAreNamed) {
    testing_rows::LabeledTable table;
    table.name_numbers(1, 3);
    table.labels = {0, 1, 2, 0, 1, 2};
    table.values = {1, 2, 3, 2, 4, 6};
    const auto message = [&](std::vector<std::vector<std::string>> groups) {
        Recipe recipe{.model = "grouped_discriminant"};
        recipe.settings.groups = std::move(groups);
        return testing_rows::fit_table(table, recipe).error().message;
    };
    EXPECT_EQ(message({{"c0", "c9"}}), "the groups name the class c9, which is not one of c0, c1, c2");
    EXPECT_EQ(message({{"c0", "c1"}, {"c1", "c2"}}), "the class c1 is in two groups");
    EXPECT_EQ(message({{"c0", "c1"}}), "the class c2 is in none of the groups");
}

}  // namespace
}  // namespace suffice
