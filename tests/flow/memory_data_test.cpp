// Whatever is done with a file can be done with its rows in memory, and comes to the same.
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "suffice/flow/calibrate.hpp"
#include "suffice/flow/cluster.hpp"
#include "suffice/flow/compare.hpp"
#include "suffice/flow/evaluate.hpp"
#include "suffice/flow/explain.hpp"
#include "suffice/flow/update.hpp"
#include "suffice/suffice.hpp"

namespace suffice {
namespace {

// Two classes of two columns of numbers and one of words, in a file and in a table.
class MemoryData : public testing::Test {
protected:
    void SetUp() override {
        file =
            (std::filesystem::temp_directory_path() / ("suffice_rows_" + std::to_string(::getpid()) + ".csv")).string();
        std::ofstream text(file);
        text << "x,y,colour,weight,kind\n";
        std::vector<double> x, y, weight;
        std::vector<std::string> colour, kind;
        for (int k = 0; k < 120; ++k) {
            x.push_back(k % 7 + k % 2);
            y.push_back(0.5 * (k % 5) - k % 3);
            weight.push_back(1 + k % 2);
            colour.push_back(k % 3 == 0 ? "red" : k % 5 == 0 ? "blue" : "green");
            kind.push_back(k % 2 == 0 ? "even" : "odd");
            text << x.back() << ',' << y.back() << ',' << colour.back() << ',' << weight.back() << ',' << kind.back()
                 << '\n';
        }
        table.numbers("x", x).numbers("y", y).words("colour", colour).numbers("weight", weight).words("kind", kind);
    }
    void TearDown() override { std::filesystem::remove(file); }

    FitOptions options(const char* model = "naive_bayes") const {
        FitOptions made;
        made.target = "kind";
        made.model = model;
        made.weight = "weight";
        return made;
    }
    ApplyOptions weighted() const {
        ApplyOptions made;
        made.weight = "weight";
        return made;
    }
    // What is learned, whatever it was learned from.
    static std::string learned(const Model& model) {
        ModelFile made = model.file();
        made.seen = {};
        return to_file_bytes(made);
    }

    std::string file;
    Table table;
};

TEST_F(MemoryData, FitsCompareAndPredictAlike) {
    const Model from_file = fit({file}, options()).value(), from_memory = fit(table, options()).value();
    EXPECT_EQ(learned(from_file), learned(from_memory));
    PredictOptions asked;
    asked.log_evidence = true;
    asked.rule.reject_below = 0.7;
    asked.priors = ClassPriors{PriorRule::uniform};
    const auto one = predict(from_file, {file}, asked).value(), two = predict(from_file, table, asked).value();
    EXPECT_EQ(one.answer, two.answer);
    EXPECT_EQ(one.posteriors, two.posteriors);
    EXPECT_EQ(one.log_evidence, two.log_evidence);
    EXPECT_EQ(two.answer.size(), 120u);
    EXPECT_TRUE(std::ranges::count(two.answer, -1) > 0 && std::ranges::count(two.answer, -1) < 120);
    std::string lines[2];
    for (const bool memory : {false, true})
        EXPECT_TRUE(
            predict(from_file, memory ? Data(table) : Data{file}, asked, [&](std::string_view text) -> Result<void> {
                lines[memory] += text;
                return {};
            }));
    EXPECT_EQ(lines[0], lines[1]);
    CompareOptions how;
    how.fold_count = 3;
    how.models = {"naive_bayes", "qda"};
    const auto compared = compare({file}, options(), how).value(), again = compare(table, options(), how).value();
    ASSERT_EQ(compared.models.size(), again.models.size());
    for (std::size_t k = 0; k < again.models.size(); ++k) {
        EXPECT_EQ(compared.models[k].model, again.models[k].model);
        EXPECT_EQ(compared.models[k].log_loss, again.models[k].log_loss);
    }
}

TEST_F(MemoryData, UpdatesForgetsEvaluatesCalibratesAndExplainsAlike) {
    const Model model = fit({file}, options()).value();
    const Model more = update(model, table, weighted()).value();
    EXPECT_EQ(learned(more), learned(update(model, {file}, weighted()).value()));
    EXPECT_EQ(more.seen().rows, 2 * model.seen().rows);
    EXPECT_EQ(forget(more, table, weighted()).value().seen().rows, model.seen().rows);
    const auto scores = evaluate(model, table, weighted()).value();
    EXPECT_EQ(*scores.scores.log_loss, *evaluate(model, {file}, weighted()).value().scores.log_loss);
    EXPECT_EQ(learned(calibrate(model, table, {.method = "platt"}).value().model),
              learned(calibrate(model, {file}, {.method = "platt"}).value().model));
    std::vector<double> pulls[2];
    for (const bool memory : {false, true})
        EXPECT_TRUE(explain(model, memory ? Data(table) : Data{file}, {}, [&](const ExplainedRow& row) -> Result<void> {
            for (const auto& term : row.explanation.terms) pulls[memory].push_back(term.by_class[row.best]);
            return {};
        }));
    EXPECT_EQ(pulls[0], pulls[1]);
    EXPECT_EQ(pulls[1].size(), 3 * 120u);
}

TEST_F(MemoryData, GroupsRowsAlike) {
    ClusterOptions asked;
    asked.fit.exclude = {"colour", "kind", "weight"};
    asked.least = asked.most = 2;
    asked.posteriors = true;
    const auto one = cluster({file}, asked).value(), two = cluster(table, asked).value();
    EXPECT_EQ(one.group, two.group);
    EXPECT_EQ(one.posteriors, two.posteriors);
    ASSERT_EQ(two.group.size(), 120u);
    for (std::size_t row = 0; row < 120; ++row) EXPECT_NEAR(two.posteriors(row, 0) + two.posteriors(row, 1), 1, 1e-12);
    EXPECT_EQ(std::ranges::count(two.group, 0), std::ranges::count(one.group, 0));
}

TEST_F(MemoryData, ABlockIsATableByTheNamesOfTheModel) {
    const Model model = fit({file}, options()).value();
    const double values[] = {3, 0.5, 1, 2, -1, 0};  // colours are codes: blue, green, red
    const Table made = Table::of(rows(values, 2, 3), model.schema().columns).value();
    Table same;
    same.numbers("x", {3, 2}).numbers("y", {0.5, -1}).words("colour", {"green", "blue"});
    EXPECT_EQ(predict(model, made, {}).value().posteriors, predict(model, same, {}).value().posteriors);
    EXPECT_EQ(predict(model, made, {}).value().posteriors, model.posteriors(rows(values, 2, 3)).value());
    EXPECT_FALSE(Table::of(rows(values, 3, 2), model.schema().columns));
}

TEST_F(MemoryData, WhatIsMissingInMemoryIsNamedWithoutAFile) {
    const Model model = fit({file}, options()).value();
    Table less;
    less.numbers("x", {1}).words("colour", {"red"});
    EXPECT_EQ(predict(model, less, {}).error().column, "");
    EXPECT_NE(predict(model, less, {}).error().sentence().find("no column y"), std::string::npos);
    less.numbers("y", {2});
    EXPECT_FALSE(evaluate(model, less, {}));
    less.words("kind", {"neither"});
    EXPECT_NE(evaluate(model, less, {}).error().sentence().find("no row has a class"), std::string::npos);
}

}  // namespace
}  // namespace suffice
