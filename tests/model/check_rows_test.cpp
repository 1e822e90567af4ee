// Rows that a model cannot take are refused before anything is read of them, and values that it cannot have by row and
// column.
#include <limits>

#include "model/labeled_table.hpp"
#include <gtest/gtest.h>

#include "suffice/model/leave_one_out.hpp"
#include "suffice/model/logistic_regression.hpp"

namespace suffice {
namespace {

using testing_rows::LabeledTable;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

LabeledTable numbers(std::size_t width) {
    LabeledTable table;
    table.name_numbers(width, 2);
    for (std::size_t row = 0; row < 60; ++row) {
        for (std::size_t k = 0; k < width; ++k)
            table.values.push_back(static_cast<double>((row * (7 + 3 * k)) % 23) + (row % 2 == 0 ? 0.0 : 4.0));
        table.labels.push_back(static_cast<std::int32_t>(row % 2));
    }
    return table;
}

// A count, a category of three levels and a number.
LabeledTable mixed() {
    LabeledTable table = numbers(3);
    table.schema.columns[1] = {"colour", ColumnKind::category, {"red", "green", "blue"}};
    for (std::size_t row = 0; row < 60; ++row) table.values[row * 3 + 1] = static_cast<double>(row % 3);
    return table;
}

DenseBlock some_rows(const std::vector<double>& values, std::size_t width) {
    return {values.data(), Element::f64, values.size() / width, width, static_cast<std::ptrdiff_t>(width), 1};
}

std::string refusal(const Predictor& model, const std::vector<double>& row) {
    const auto scored = model.posteriors(some_rows(row, row.size()));
    const auto told = model.explain(some_rows(row, row.size()), 0);
    EXPECT_EQ(bool(scored), bool(told));
    return scored ? "" : scored.error().sentence();
}

TEST(CheckRows, RowsOfAnotherWidthAreRefusedByEveryModel) {
    const LabeledTable table = numbers(8);
    for (const char* name : {"gaussian_nb", "lda", "qda", "kernel_density", "kernel_nb", "nearest", "histogram_nb",
                             "multinomial_nb", "naive_bayes"}) {
        const auto model = fit_table(table, {.model = name});
        ASSERT_TRUE(model) << name << ": " << model.error().sentence();
        for (const std::size_t width : {std::size_t{1}, std::size_t{2}, std::size_t{9}}) {
            const std::vector<double> few(4 * width, 1.0);
            const DenseBlock rows = some_rows(few, width);
            const std::string expected = "the rows have " + std::to_string(width) +
                                         (width == 1 ? " column" : " columns") + " where the model has 8";
            const auto posteriors = model->posteriors(rows);
            ASSERT_FALSE(posteriors) << name;
            EXPECT_EQ(posteriors.error().sentence(), expected) << name;
            EXPECT_FALSE(model->predict(rows));
            EXPECT_FALSE(model->explain(rows, 0));
            const std::vector<std::int32_t> labels(4);
            EXPECT_FALSE(leave_one_out(*model, {rows, labels, {}, 0}));
            MemoryStream stream({rows, labels, {}, 0}, table.schema);
            const auto fed = feed(model->state(), stream, {});
            ASSERT_FALSE(fed) << name;
            EXPECT_EQ(fed.error().sentence(), expected);
        }
    }
}

TEST(CheckRows, AMixedModelTakesNoRowWithoutItsLastColumn) {
    const LabeledTable table = mixed();
    const auto model = fit_table(table, {.model = "naive_bayes"});
    ASSERT_TRUE(model);
    EXPECT_EQ(refusal(*model, {1, 1}), "the rows have 2 columns where the model has 3");
    EXPECT_EQ(refusal(*model, {1, 1, 2}), "");
}

TEST(CheckRows, CodesOfLevelsAreWholeAndKnownOrUnseenOrMissing) {
    const LabeledTable table = mixed();
    const auto model = fit_table(table, {.model = "naive_bayes"});
    ASSERT_TRUE(model);
    for (const double good : {0.0, 2.0, unseen_level, missing}) EXPECT_EQ(refusal(*model, {1, good, 2}), "");
    EXPECT_EQ(refusal(*model, {1, 1.5, 2}),
              "row 1, column colour: the code of a level is a whole number below 3, and this is 1.5");
    for (const double bad : {2.5, 3.0, 1e300, -2.0, std::numeric_limits<double>::infinity()})
        EXPECT_NE(refusal(*model, {1, bad, 2}), "") << bad;
}

TEST(CheckRows, JointTablesTakeCodesOfLevelsOnly) {
    LabeledTable table = mixed();
    table.schema.columns[0] = {"size", ColumnKind::category, {"s", "m"}};
    for (std::size_t row = 0; row < 60; ++row) table.values[row * 3] = static_cast<double>(row / 2 % 2);
    const auto model = fit_table(table, {.model = "naive_bayes", .parts = {.joint = {{"size", "colour"}}}});
    ASSERT_TRUE(model) << model.error().sentence();
    EXPECT_EQ(refusal(*model, {1, unseen_level, 2}), "");
    EXPECT_EQ(refusal(*model, {0.5, 1, 2}),
              "row 1, column size: the code of a level is a whole number below 2, and this is 0.5");
    EXPECT_NE(refusal(*model, {1, 1e300, 2}), "");
}

TEST(CheckRows, AValueOutsideOfAFamilyIsNamedWithItsRowAndColumn) {
    const LabeledTable table = numbers(2);
    for (const Estimate estimate : {Estimate::map, Estimate::likelihood, Estimate::predictive}) {
        Recipe recipe{.model = "naive_bayes", .families = {{"x0", "poisson"}}};
        recipe.settings.estimate = estimate;
        const auto model = fit_table(table, recipe);
        ASSERT_TRUE(model) << model.error().sentence();
        EXPECT_EQ(refusal(*model, {3, 1}), "");
        EXPECT_EQ(refusal(*model, {missing, 1}), "");
        EXPECT_EQ(refusal(*model, {-3, 1}), "row 1, column x0: poisson takes whole numbers from 0, and this is -3");
        EXPECT_EQ(refusal(*model, {2.5, 1}), "row 1, column x0: poisson takes whole numbers from 0, and this is 2.5");
        const std::vector<double> later = {1, 1, 2, 2, -1, 3};
        const auto scored = model->posteriors(some_rows(later, 2));
        ASSERT_FALSE(scored);
        EXPECT_EQ(scored.error().row, 3u);
    }
    const auto counts = fit_table(table, {.model = "multinomial_nb"});
    ASSERT_TRUE(counts);
    EXPECT_EQ(refusal(*counts, {1, -2}), "row 1, column x1: a count takes numbers from 0, and this is -2");
}

TEST(CheckRows, LabelsAndWeightsAreCheckedWhereRowsEnter) {
    LabeledTable table = numbers(2);
    const auto message = [&](const LabeledBlock& rows) {
        MemoryStream stream(rows, table.schema);
        const auto fitted = fit(make_state({.model = "lda"}, table.schema).value(), stream, {});
        return fitted ? "" : fitted.error().sentence();
    };
    EXPECT_EQ(message(table.block()), "");
    std::vector<std::int32_t> labels = table.labels;
    labels[7] = 2;
    EXPECT_EQ(message({table.rows(), labels, {}, 0}), "row 8: the class code 2 is not one of the 2 classes");
    labels.pop_back();
    EXPECT_EQ(message({table.rows(), labels, {}, 0}), "59 labels for 60 rows");
    std::vector<double> weights(60, 1.0);
    for (const double bad : {-1.0, missing, std::numeric_limits<double>::infinity()}) {
        weights[3] = bad;
        EXPECT_EQ(message({table.rows(), table.labels, weights, 0}),
                  "row 4: a weight must be zero or a positive number");
    }
    weights.pop_back();
    EXPECT_EQ(message({table.rows(), table.labels, weights, 0}), "59 weights for 60 rows");
}

TEST(CheckRows, ColumnsHaveNamesOfTheirOwn) {
    EXPECT_EQ(check_columns({}).error().sentence(), "there is no column to learn from");
    EXPECT_EQ(check_columns({{{"a"}, {"b"}, {"a"}}, {}}).error().sentence(), "two columns have the name a");
    EXPECT_TRUE(check_columns({{{"a"}, {"b"}}, {}}));
    EXPECT_FALSE(make_state({.model = "lda"}, {{{"a"}, {"a"}}, {}}));
    EXPECT_FALSE(make_state({.model = "lda"}, {}));
}

}  // namespace
}  // namespace suffice
