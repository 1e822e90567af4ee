// Columns joined into one table, and columns whose family the data choose.
#include <cmath>

#include "model/labeled_table.hpp"
#include <gtest/gtest.h>

#include "suffice/model/algebra.hpp"
#include "suffice/part/joint_part.hpp"

namespace suffice {
namespace {

using testing_rows::fit_table;
using testing_rows::LabeledTable;
using testing_rows::log_joints;

// Class 1 where the two flags differ, with a third column of four levels that hardly matters.
LabeledTable exclusive_or(std::size_t rows, std::uint64_t seed) {
    LabeledTable table;
    table.schema.columns = {
        {"a", ColumnKind::flag}, {"b", ColumnKind::flag}, {"c", ColumnKind::category, {"k", "l", "m", "n"}}};
    table.schema.classes = {"same", "differ"};
    Rng rng(seed);
    for (std::size_t row = 0; row < rows; ++row) {
        const double a = rng.uniform() < 0.5, b = rng.uniform() < 0.4, c = std::floor(rng.uniform() * 4);
        table.labels.push_back(rng.uniform() < 0.05 ? a == b : a != b);
        table.values.insert(table.values.end(), {a, b, c});
    }
    return table;
}

Recipe joined() { return {.model = "naive_bayes", .parts = {.joint = {{"a", "c", "b"}}}}; }

// The combination as one category with 16 levels is the same model.
TEST(Joint, EqualsOneCategoryOfAllCombinations) {
    const auto table = exclusive_or(300, 1);
    LabeledTable single = table;
    single.schema.columns = {{"abc", ColumnKind::category}};
    for (int level = 0; level < 16; ++level)
        single.schema.columns[0].levels.push_back(std::string(1, static_cast<char>('A' + level)));
    single.schema.columns[0].declared_levels = 16;
    single.values.clear();
    for (std::size_t row = 0; row < 300; ++row)
        single.values.push_back(table.values[row * 3] * 8 + table.values[row * 3 + 2] * 2 + table.values[row * 3 + 1]);
    for (const double smoothing : {1.0, 0.25, 0.0}) {
        Recipe one = joined(), other{.model = "naive_bayes"};
        one.settings.smoothing = other.settings.smoothing = smoothing;
        const auto joint = fit_table(table, one).value(), flat = fit_table(single, other).value();
        EXPECT_EQ(joint.parameter_count(), 2u * 15 + 1);
        EXPECT_EQ(joint.parameter_count(), flat.parameter_count());
        EXPECT_NEAR(joint.log_likelihood(), flat.log_likelihood(), 1e-9);
        const auto p = log_joints(joint, table.rows()), q = log_joints(flat, single.rows());
        for (std::size_t at = 0; at < p.values.size(); ++at) EXPECT_NEAR(p.values[at], q.values[at], 1e-12);
    }
}

TEST(Joint, SeesWhatIndependentColumnsCannot) {
    const auto table = exclusive_or(2000, 2);
    const auto wrong = [&](const Recipe& recipe) {
        const auto codes = fit_table(table, recipe).value().predict(table.rows()).value();
        std::size_t errors = 0;
        for (std::size_t row = 0; row < codes.size(); ++row) errors += codes[row] != 1 - table.labels[row];
        return errors;  // classes are sorted: differ, same
    };
    EXPECT_GT(wrong({.model = "naive_bayes"}), 600u);
    EXPECT_LT(wrong(joined()), 150u);
}

TEST(Joint, AMissingColumnIsSummedOut) {
    const auto table = exclusive_or(300, 3);
    const auto model = fit_table(table, joined()).value();
    const auto density = [&](double a, double b, double c) {
        const std::vector<double> row{a, b, c};
        const auto joint = log_joints(model, DenseBlock{row.data(), Element::f64, 1, 3, 3, 1});
        return std::pair(std::exp(joint(0, 0)), std::exp(joint(0, 1)));
    };
    const double hole = std::nan("");
    double first = 0, second = 0;
    for (int c = 0; c < 4; ++c) {
        first += density(1, 0, c).first;
        second += density(1, 0, c).second;
    }
    EXPECT_NEAR(density(1, 0, hole).first, first, 1e-12);
    EXPECT_NEAR(density(1, 0, hole).second, second, 1e-12);
    EXPECT_NEAR(density(hole, hole, hole).first, std::exp(model.log_prior()[0]), 1e-12);
}

TEST(Joint, ExplanationsFollowTheChainRuleAndSumToTheLogJoint) {
    const auto table = exclusive_or(200, 4);
    const auto model = fit_table(table, joined()).value();
    const auto joint = log_joints(model, table.rows());
    for (std::size_t row = 0; row < 200; row += 9) {
        const auto explanation = model.explain(table.rows(), row).value();
        for (std::size_t c = 0; c < 2; ++c) {
            double sum = explanation.intercept[c];
            for (const auto& term : explanation.terms) sum += term.by_class[c];
            EXPECT_NEAR(sum, joint(row, c), 1e-12 * std::abs(sum));
        }
    }
}

TEST(Joint, PiecesWithDifferentLevelsMergeToTheWholeAndComeOutAgain) {
    auto table = exclusive_or(400, 5);
    for (std::size_t row = 0; row < 150; ++row) table.values[row * 3 + 2] = row % 2;        // levels k and l only
    for (std::size_t row = 150; row < 400; ++row) table.values[row * 3 + 2] = 1 + row % 3;  // never k
    table.values[7] = std::nan("");
    const auto state = make_state(joined(), table.schema).value();
    MemoryStream all(table.block(), table.schema), first(table.block().slice(0, 150), table.schema),
        rest(table.block().slice(150, 250), table.schema);
    const auto whole = fit(state, all).value(), left = fit(state, first).value(), right = fit(state, rest).value();
    ASSERT_EQ(left.schema().columns[2].levels.size(), 2u);
    const auto both = merge(left, right).value();
    EXPECT_EQ(both, whole);
    EXPECT_EQ(subtract(both, right).value(), left);
    EXPECT_EQ(subtract(both, left).value(), right);
}

TEST(Joint, SamplesHaveTheFrequenciesOfTheTable) {
    const auto table = exclusive_or(500, 6);
    const auto model = fit_table(table, joined()).value();
    Rng rng(8);
    std::vector<double> rows, counts(16);
    for (int draw = 0; draw < 20000; ++draw) {
        const auto row = model.sample(0, rng);
        counts[static_cast<std::size_t>(row.values[0] * 8 + row.values[1] * 4 + row.values[2])] += 1;
    }
    for (int cell = 0; cell < 16; ++cell)
        for (double value : {double(cell / 8), double(cell / 4 % 2), double(cell % 4)}) rows.push_back(value);
    const auto joint = log_joints(model, DenseBlock{rows.data(), Element::f64, 16, 3, 3, 1});
    for (std::size_t cell = 0; cell < 16; ++cell) {
        const double p = std::exp(joint(cell, 0) - model.log_prior()[0]);
        EXPECT_NEAR(counts[cell] / 20000, p, 5 * std::sqrt(p / 20000)) << cell;
    }
}

TEST(Joint, ATableOfMoreThanAMillionCellsIsRefused) {
    LabeledTable table;
    table.schema.classes = {"a", "b"};
    for (int k = 0; k < 3; ++k) {
        table.schema.columns.push_back({"x" + std::to_string(k), ColumnKind::category});
        for (int level = 0; level < 101; ++level) table.schema.columns.back().levels.push_back(std::to_string(level));
    }
    for (int row = 0; row < 101; ++row) {
        table.labels.push_back(row % 2);
        table.values.insert(table.values.end(), 3, row);
    }
    const auto refused = fit_table(table, {.model = "naive_bayes", .parts = {.joint = {{"x0", "x1", "x2"}}}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "the joint table of x0, x1, x2 has more than 1000000 cells; join fewer columns");
    EXPECT_EQ(fit_table(table, {.model = "naive_bayes", .parts = {.joint = {{"x0", "x0"}}}}).error().message,
              "the column x0 is joined twice");
}

// Eight columns drawn from known families, two classes with different parameters.
LabeledTable drawn_from_families(std::size_t rows) {
    LabeledTable table;
    table.name_numbers(6, 2);
    Rng rng(11);
    for (std::size_t row = 0; row < rows; ++row) {
        const double c = static_cast<double>(row % 2), u = rng.uniform_open();
        double count = 0;  // Poisson by counting unit exponentials
        for (double left = 3 + 4 * c + std::log(rng.uniform_open()); left > 0; left += std::log(rng.uniform_open()))
            ++count;
        const double normal =
            std::sqrt(-2 * std::log(rng.uniform_open())) * std::cos(6.283185307179586 * rng.uniform());
        table.labels.push_back(static_cast<std::int32_t>(c));
        table.values.insert(table.values.end(),
                            {count, normal * (1 + c) - 3, -std::log(u) * (2 + c), std::exp(1 + c + 0.7 * normal),
                             std::floor(std::log(rng.uniform_open()) / std::log(0.6 + 0.2 * c)),
                             static_cast<double>(rng.uniform() < 0.2 + 0.5 * c)});
    }
    return table;
}

Recipe automatic() {
    Recipe recipe{.model = "naive_bayes"};
    for (int k = 0; k < 6; ++k) recipe.families.push_back({"x" + std::to_string(k), "auto"});
    return recipe;
}

TEST(AutomaticFamily, FindsTheFamilyThatTheColumnWasDrawnFrom) {
    const auto table = drawn_from_families(3000);
    const auto model = fit_table(table, automatic()).value();
    const auto described = model.describe();
    const char* expected[] = {"poisson", "gaussian", "exponential", "log_normal", "geometric", "bernoulli"};
    ASSERT_EQ(described.columns.size(), 6u);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(described.columns[k].family, expected[k]) << "column " << k;
    EXPECT_TRUE(model.notes().empty());  // the table of fit says why
}

TEST(AutomaticFamily, TheWinnerIsTheModelWithThatFamilyNamed) {
    const auto table = drawn_from_families(1000);
    const auto chosen = fit_table(table, automatic()).value();
    Recipe named{
        .model = "naive_bayes",
        .families = {
            {"x0", "poisson"}, {"x2", "exponential"}, {"x3", "log_normal"}, {"x4", "geometric"}, {"x5", "bernoulli"}}};
    const auto same = fit_table(table, named).value();
    EXPECT_NEAR(chosen.log_likelihood(), same.log_likelihood(), 1e-9 * std::abs(same.log_likelihood()));
    EXPECT_EQ(chosen.parameter_count(), same.parameter_count());
    const auto p = chosen.posteriors(table.rows()).value(), q = same.posteriors(table.rows()).value();
    for (std::size_t at = 0; at < p.values.size(); ++at) EXPECT_NEAR(p.values[at], q.values[at], 1e-12);
}

TEST(AutomaticFamily, PiecesThatWouldChooseDifferentlyMergeToTheWhole) {
    auto table = drawn_from_families(600);
    for (std::size_t row = 0; row < 300; ++row) table.values[row * 6] = row % 5 == 0;  // 0 and 1 so far
    const auto state = make_state(automatic(), table.schema).value();
    MemoryStream all(table.block(), table.schema), first(table.block().slice(0, 300), table.schema),
        rest(table.block().slice(300, 300), table.schema);
    const auto whole = fit(state, all).value(), left = fit(state, first).value(), right = fit(state, rest).value();
    EXPECT_EQ(left.describe().columns[0].family, "bernoulli");
    const auto both = merge(left, right).value();
    EXPECT_NE(whole.describe().columns[0].family, "bernoulli");
    EXPECT_EQ(both.describe().columns[0].family, whole.describe().columns[0].family);
    const auto p = both.posteriors(table.rows()).value(), q = whole.posteriors(table.rows()).value();
    for (std::size_t at = 0; at < p.values.size(); ++at) EXPECT_NEAR(p.values[at], q.values[at], 1e-9);
}

}  // namespace
}  // namespace suffice
