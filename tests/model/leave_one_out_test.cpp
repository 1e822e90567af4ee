// Leaving a row out equals fitting without it, by brute force, for every one-pass model.
#include "suffice/model/leave_one_out.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

#include "model/real_data.hpp"
#include <gtest/gtest.h>

namespace suffice {
namespace {

// Log posteriors of one row by the model of all others, in the codes of the table.
std::vector<double> refitted(const RealTable& table, std::size_t row, const Recipe& recipe) {
    const Classifier model = table.where([&](std::size_t other) { return other != row; }).fit(recipe);
    Matrix scores(1, model.class_count());
    const ScoreSink sink{ScoreSink::Form::log_posterior, scores.values.data(), 0};
    EXPECT_TRUE(model.score(slice(table.rows(), row, 1), sink, {}));
    return scores.values;
}

void expect_refitting(const RealTable& table, const Recipe& recipe, std::size_t step, const std::string& what) {
    const auto left = leave_one_out(table.fit(recipe), table.block());
    ASSERT_TRUE(left) << what << ": " << left.error().message;
    for (std::size_t row = 0; row < table.size(); row += step) {
        const auto expected = refitted(table, row, recipe);
        ASSERT_EQ(expected.size(), left->column_count);
        for (std::size_t c = 0; c < expected.size(); ++c)
            ASSERT_NEAR((*left)(row, c), expected[c], 1e-9 * std::max(1.0, std::abs(expected[c])))
                << what << ", row " << row << ", class " << c;
    }
}

std::vector<std::pair<std::string, Recipe>> recipes(const RealTable& table) {
    std::vector<std::pair<std::string, Recipe>> all;
    for (const char* model : {"lda", "qda", "dlda", "spherical_discriminant", "gnb"}) all.push_back({model, {model}});
    for (const char* model : {"lda", "qda"})
        for (const auto estimate : {Estimate::unbiased, Estimate::map, Estimate::predictive}) {
            Recipe recipe{model};
            recipe.settings.estimate = estimate;
            all.push_back({std::string(model) + " estimate " + std::to_string(static_cast<int>(estimate)), recipe});
        }
    for (const char* model : {"lda", "qda", "dlda"}) {
        Recipe recipe{model};
        recipe.settings.shrinkage = ShrinkageRule::fixed;
        recipe.settings.shrinkage.amount = 0.2;
        all.push_back({std::string(model) + " shrunk", recipe});
    }
    for (const auto& [alpha, gamma] : {std::pair{0.7, 0.0}, {0.6, 0.1}, {0.0, 0.3}, {1.0, 0.2}}) {
        Recipe recipe{"rda"};
        recipe.settings.alpha = alpha;
        recipe.settings.gamma = gamma;
        all.push_back({"rda " + std::to_string(alpha) + " " + std::to_string(gamma), recipe});
    }
    Recipe grouped{"grouped_discriminant"};
    grouped.settings.groups = {{table.schema.classes[0], table.schema.classes[2]}, {}};
    for (std::size_t c = 1; c < table.schema.classes.size(); ++c)
        if (c != 2) grouped.settings.groups[1].push_back(table.schema.classes[c]);
    all.push_back({"grouped", grouped});
    Recipe added{"qda"};
    added.settings.added_variance = 0.1;
    all.push_back({"added variance", added});
    Recipe given{"qda"};
    given.settings.priors = PriorRule::uniform;
    all.push_back({"uniform priors", given});
    return all;
}

void expect_refitting_of_all(const RealTable& table, std::size_t step) {
    for (const auto& [what, recipe] : recipes(table)) expect_refitting(table, recipe, step, what);
}

TEST(LeaveOneOut, OnIrisEqualsRefitting) { expect_refitting_of_all(read_iris(), 1); }
TEST(LeaveOneOut, OnCrabsEqualsRefitting) {
    SUFFICE_NEEDS_DATA("crabs/crabs.csv");
    expect_refitting_of_all(read_crabs(), 3);
}
TEST(LeaveOneOut, OnWineEqualsRefitting) {
    SUFFICE_NEEDS_DATA("wine/wine.csv");
    expect_refitting_of_all(read_wine(), 3);
}

TEST(LeaveOneOut, RowsOfAnyWeightEqualRefitting) {
    RealTable table = read_iris();
    for (std::size_t row = 0; row < table.size(); ++row)
        table.weights.push_back(0.25 * static_cast<double>(1 + row % 7));
    for (const auto& [what, recipe] : recipes(table)) expect_refitting(table, recipe, 10, what);
}

// One class has so few rows that each of them matters to its rank.
TEST(LeaveOneOut, NearSingularClassesEqualRefitting) {
    const RealTable iris = read_iris();
    const RealTable table = iris.where([&](std::size_t row) { return iris.labels[row] != 0 || row < 6; });
    for (const auto& [what, recipe] : recipes(table)) {
        const bool conjugate =
            recipe.settings.estimate == Estimate::map || recipe.settings.estimate == Estimate::predictive;
        if (conjugate) continue;  // six rows are too few for a vague prior
        expect_refitting(table, recipe, 1, what);
    }
}

// Counts, flags and categories, with a hole; one level and one class are seen once.
TEST(LeaveOneOut, MixedColumnsWithMissingValuesEqualRefitting) {
    RealTable table;
    table.schema.columns = {
        {"x"}, {"count"}, {"flag", ColumnKind::flag}, {"colour", ColumnKind::category, {"a", "b", "c"}}};
    table.schema.classes = {"no", "yes"};
    for (int k = 0; k < 24; ++k) {
        table.values.insert(table.values.end(), {k % 5 == 4 ? std::nan("") : 0.3 * k - k % 3, 1.0 * (k * 7 % 11),
                                                 1.0 * (k % 2), k == 9 ? 2.0 : k % 3 == 0});
        table.labels.push_back(k % 4 == 1);
    }
    for (const auto estimate : {Estimate::map, Estimate::predictive, Estimate::likelihood}) {
        Recipe recipe{"nb"};
        recipe.settings.estimate = estimate;
        recipe.families = {{"count", "poisson"}};
        const auto left = leave_one_out(table.fit(recipe), table.block()).value();
        for (std::size_t row = 0; row < table.size(); ++row) {
            RealTable rest = table.where([&](std::size_t other) { return other != row; });
            MemoryStream stream(rest.block(), rest.schema);
            const auto model = fit(make_state(recipe, rest.schema).value(), stream).value();
            RealTable one = table.where([&](std::size_t other) { return other == row; });
            if (row == 9) one.values[3] = unseen_level;  // the level c is gone
            Matrix expected(1, 2);
            ASSERT_TRUE(model.score(one.rows(), {ScoreSink::Form::log_posterior, expected.values.data(), 0}, {}));
            for (std::size_t c = 0; c < 2; ++c)
                EXPECT_NEAR(left(row, c), expected(0, c), 1e-9 * std::max(1.0, std::abs(expected(0, c)))) << row;
        }
    }
}

TEST(LeaveOneOut, AClassOfOneRowIsGoneWithoutIt) {
    const RealTable iris = read_iris();
    const RealTable table = iris.where([&](std::size_t row) { return row == 3 || row >= 50; });
    const auto left = leave_one_out(table.fit({"gnb"}), table.block()).value();
    EXPECT_LT(left(0, 0), -700);
    EXPECT_NEAR(std::exp(left(0, 1)) + std::exp(left(0, 2)), 1, 1e-12);
}

std::size_t errors(const RealTable& table, const char* model) {
    const auto left = leave_one_out(table.fit({model}), table.block()).value();
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < table.size(); ++row)
        wrong += std::ranges::max_element(left.row(row)) - left.row(row).begin() != table.labels[row];
    return wrong;
}

TEST(LeaveOneOut, CrabsAndWineGiveThePublishedErrors) {
    SUFFICE_NEEDS_DATA("crabs/crabs.csv");
    EXPECT_EQ(errors(read_crabs(), "lda"), 10u);
    EXPECT_EQ(errors(read_crabs(), "qda"), 13u);
    EXPECT_EQ(errors(read_wine(), "lda"), 2u);  // 98.88 %, Aeberhard 1992
    EXPECT_EQ(errors(read_wine(), "qda"), 1u);  // 99.44 %
}

TEST(LeaveOneOut, IsRefusedWhereItWouldNotBeExact) {
    RealTable table = read_iris();
    Recipe recipe{"lda"};
    for (const auto shrinkage : {ShrinkageRule::oas, ShrinkageRule::ledoit_wolf, ShrinkageRule::automatic}) {
        recipe.settings.shrinkage = shrinkage;
        EXPECT_EQ(leave_one_out(table.fit(recipe), table.block()).error().message,
                  "with an estimated shrinkage no row can be left out; give the shrinkage as a number");
    }
    recipe.settings.shrinkage = ShrinkageRule::none;
    recipe.settings.rank = 1;
    EXPECT_EQ(
        leave_one_out(table.fit(recipe), table.block()).error().message,
        "with a reduced rank no row can be left out, as the discriminant coordinates turn with every row; compare "
        "by folds instead");
    table.values[5] = std::nan("");
    EXPECT_EQ(leave_one_out(table.fit({"qda"}), table.block()).error().message,
              "with missing values in a covariance no row can be left out; compare by folds instead");
}

// MASS keeps the class priors of all rows, divides scatters by n - classes or n - 1, and its predictive has a vague
// prior (what is wrong with it in MASS itself: tools/goldens/mass.R).
struct MassGoldens {
    const RealTable& table;
    std::map<std::string, std::vector<std::vector<double>>> by_kind;

    MassGoldens(const RealTable& of, const std::string& file) : table(of) {
        std::ifstream lines(SUFFICE_SOURCE_DIR "/tests/goldens/" + file);
        std::string line, kind, cell;
        std::getline(lines, line);
        while (std::getline(lines, line)) {
            std::istringstream cells(line);
            std::getline(cells, kind, ',');
            std::getline(cells, cell, ',');
            auto& row = by_kind[kind].emplace_back();
            while (std::getline(cells, cell, ',')) row.push_back(std::stod(cell));
        }
    }
    Recipe recipe(const std::string& model, Estimate estimate) const {
        Recipe made{model};
        made.settings.estimate = estimate;
        std::vector<double> weight(table.schema.classes.size());
        for (auto label : table.labels)
            weight[static_cast<std::size_t>(label)] += 1.0 / static_cast<double>(table.size());
        made.settings.priors = PriorRule::given;
        for (std::size_t c = 0; c < weight.size(); ++c)
            made.settings.priors.given.push_back({table.schema.classes[c], weight[c]});
        return made;
    }
    void expect(const std::string& kind, const Matrix& posterior) const {
        const auto& golden = by_kind.at(kind);
        ASSERT_EQ(golden.size(), posterior.row_count) << kind;
        for (std::size_t row = 0; row < golden.size(); ++row)
            for (std::size_t c = 0; c < golden[row].size(); ++c)
                ASSERT_NEAR(posterior(row, c), golden[row][c], 1e-9) << kind << ", row " << row << ", class " << c;
    }
    void check() const {
        for (const std::string model : {"lda", "qda"}) {
            const Classifier unbiased = table.fit(recipe(model, Estimate::unbiased));
            expect(model + "_plugin", unbiased.posteriors(table.rows()).value());
            expect(model + "_predictive",
                   table.fit(recipe(model, Estimate::predictive)).posteriors(table.rows()).value());
            Matrix left = leave_one_out(unbiased, table.block()).value();
            for (double& p : left.values) p = std::exp(p);
            expect(model + "_left_out", left);
        }
    }
};

TEST(LeaveOneOut, AndThePredictiveEqualMassOnIris) { MassGoldens(read_iris(), "mass_iris.csv").check(); }
TEST(LeaveOneOut, AndThePredictiveEqualMassOnCrabs) {
    SUFFICE_NEEDS_DATA("crabs/crabs.csv");
    MassGoldens(read_crabs(), "mass_crabs.csv").check();
}

}  // namespace
}  // namespace suffice
