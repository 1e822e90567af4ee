// The same rows give the same model, whether a file, a table or a block in memory brings them.
#include "suffice/flow/row_source.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "suffice/suffice.hpp"

namespace suffice {
namespace {

// Numbers and words with holes in them; one row in nine has no class.
struct Mixed {
    std::vector<double> size;
    std::vector<std::string> colour, label;
    std::string path;

    explicit Mixed(bool with_holes = true) {
        path =
            (std::filesystem::temp_directory_path() / ("suffice_rows_" + std::to_string(::getpid()) + ".csv")).string();
        std::ofstream file(path);
        file << "size,colour,label\n";
        for (int k = 0; k < 180; ++k) {
            const bool late = k % 2 == 1;
            size.push_back(with_holes && k % 17 == 3 ? std::nan("") : (k * 7 % 31) / 4.0 + (late ? 2 : 0));
            colour.push_back(with_holes && k % 13 == 5 ? ""
                             : k % 5 == 0              ? "red"
                             : k % 3 == int(late)      ? "green"
                                                       : "blue");
            label.push_back(k % 9 == 4 ? "" : late ? "no" : "yes");
            if (std::isnan(size.back()))
                file << "," << colour.back() << "," << label.back() << "\n";
            else
                file << size.back() << "," << colour.back() << "," << label.back() << "\n";
        }
    }
    ~Mixed() { std::filesystem::remove(path); }
    Table table() const { return Table().numbers("size", size).words("colour", colour); }
};

TEST(RowSource, WordsInMemoryAreTheCategoriesOfAFile) {
    for (const std::string model : {"naive_bayes", "logistic_regression"}) {
        const Mixed rows(model == "naive_bayes");
        const FitOptions options{.target = "label", .model = model};
        const auto of_file = fit({rows.path}, options), of_memory = fit(rows.table(), rows.label, options);
        ASSERT_TRUE(of_file) << of_file.error().sentence();
        ASSERT_TRUE(of_memory) << of_memory.error().sentence();
        EXPECT_EQ(of_memory->classes(), (std::vector<std::string>{"no", "yes"}));
        EXPECT_EQ(of_memory->schema(), of_file->schema()) << model;
        const Table asked =
            Table().words("colour", {"green", "purple", "red", "blue"}).numbers("size", {1.0, 2.0, 0.5, 8.0});
        EXPECT_EQ(of_memory->posteriors(asked).value(), of_file->posteriors(asked).value()) << model;
        EXPECT_EQ(of_memory->notes(), of_file->notes()) << model;
        EXPECT_EQ(of_memory->notes().front(), "20 rows without a class were skipped");
    }
}

// Flags, counts, dates of text and the weights of rows are found in a table as they are in a file.
TEST(RowSource, TablesAreReadAsFilesAre) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("suffice_kinds_" + std::to_string(::getpid()) + ".csv")).string();
    std::vector<double> flag, count, weight;
    std::vector<std::string> note, label;
    {
        std::ofstream file(path);
        file << "flag,count,note,weight,label\n";
        const char* const words[] = {"rain", "sun", "late", "early", "cold"};
        for (int k = 0; k < 120; ++k) {
            flag.push_back(k % 3 == 0);
            count.push_back(k * 5 % 7);
            weight.push_back(0.5 + k % 4);
            note.push_back(std::string(words[k % 5]) + " and " + words[k * 3 % 5] + " then " + words[k % 2]);
            label.push_back(k % 2 == 0 ? "a" : "b");
            file << flag.back() << "," << count.back() << "," << note.back() << "," << weight.back() << ","
                 << label.back() << "\n";
        }
    }
    const Table table = Table().numbers("flag", flag).numbers("count", count).words("note", note);
    for (const ModelEntry& model : models()) {
        if (model.takes("groups")) continue;
        FitOptions options{.target = "label", .model = std::string(model.name)};
        const auto of_memory = fit(table, label, weight, options);
        options.weight = "weight";
        const auto of_file = fit({path}, options);
        ASSERT_EQ(bool(of_file), bool(of_memory)) << model.name;
        if (!of_file) continue;
        EXPECT_EQ(of_memory->schema(), of_file->schema()) << model.name;
        if (model.densities || !model.is_sum()) {
            EXPECT_EQ(of_memory->predictor().log_likelihood(), of_file->predictor().log_likelihood()) << model.name;
        }
        for (std::size_t k = 0; k < of_memory->choices().size(); ++k)
            EXPECT_EQ(of_memory->choices()[k].family, of_file->choices()[k].family) << model.name;
    }
    std::filesystem::remove(path);
}

// Three pieces merged are the whole, a piece taken out leaves the others, and fading changes no share.
TEST(RowSource, ModelsAreMergedTakenApartAndFaded) {
    const Mixed all;
    const FitOptions options{.target = "label"};
    const auto piece = [&](std::size_t start) {
        Mixed some = all;
        some.size = {all.size.begin() + start, all.size.begin() + start + 60};
        some.colour = {all.colour.begin() + start, all.colour.begin() + start + 60};
        some.path.clear();
        return fit(some.table(), {all.label.begin() + start, all.label.begin() + start + 60}, options).value();
    };
    const Model whole = fit(all.table(), all.label, options).value(), a = piece(0), b = piece(60), c = piece(120);
    const auto near = [&](const Model& left, const Model& right) {
        const Matrix p = left.posteriors(all.table()).value(), q = right.posteriors(all.table()).value();
        for (std::size_t k = 0; k < p.values.size(); ++k) ASSERT_NEAR(p.values[k], q.values[k], 1e-12);
    };
    const Model merged = merge(merge(a, b).value(), c).value();
    near(merged, whole);
    EXPECT_EQ(merged.seen().rows, whole.seen().rows);
    near(subtract(merged, c).value(), merge(a, b).value());
    EXPECT_DOUBLE_EQ(decay(whole, 0.5).value().predictor().weight(), 0.5 * whole.predictor().weight());
    EXPECT_FALSE(subtract(a, whole));
}

TEST(RowSource, TheBestModelIsFoundForRowsInMemoryToo) {
    const Mixed rows(false);
    const FitOptions options{.target = "label", .model = "auto"};
    const auto of_file = fit({rows.path}, options), of_memory = fit(rows.table(), rows.label, options);
    ASSERT_TRUE(of_file) << of_file.error().sentence();
    ASSERT_TRUE(of_memory) << of_memory.error().sentence();
    EXPECT_EQ(of_memory->predictor().name(), of_file->predictor().name());
    ASSERT_EQ(of_memory->seen().compared.size(), of_file->seen().compared.size());
    EXPECT_GT(of_file->seen().compared.size(), 1u);
    EXPECT_EQ(of_memory->posteriors(rows.table()).value(), of_file->posteriors(rows.table()).value());
}

TEST(RowSource, ABlockMayDeclareItsLevels) {
    const double values[] = {0, 1, 1, 1.5, 2, 4, 1, 5, 0, 1.2, 2, 4.4};
    const std::vector<std::string> labels{"a", "a", "b", "b", "a", "b"};
    FitOptions options;
    options.columns = {{"colour", ColumnKind::category, {"red", "green", "blue", "white"}}, "size"};
    const auto model = fit(rows(values, 6, 2), labels, options);
    ASSERT_TRUE(model) << model.error().sentence();
    EXPECT_EQ(model->schema().columns[0].levels, (std::vector<std::string>{"red", "green", "blue", "white"}));
    const Table words = Table().numbers("size", {1.0}).words("colour", {"blue"});
    const double codes[] = {2, 1.0};
    EXPECT_EQ(model->posteriors(words).value(), model->posteriors(rows(codes, 1, 2)).value());
    const double wrong[] = {4, 1.0};
    EXPECT_EQ(model->posteriors(rows(wrong, 1, 2)).error().sentence(),
              "row 1, column colour: the code of a level is a whole number below 4, and this is 4");
}

TEST(RowSource, ClassesOfModelsByPassesAreSorted) {
    const double values[] = {5, 1, 6, 2, 5.5, 1.5, 4, 2.5, 7, 2, 6.5, 0.5};
    const std::vector<std::string> labels{"z", "a", "z", "a", "a", "z"};
    for (const char* name : {"logistic_regression", "lda"}) {
        FitOptions options{.model = name};
        if (std::string(name) == "logistic_regression") options.regression.penalty = Penalty(1.0);
        const auto model = fit(rows(values, 6, 2), labels, options);
        ASSERT_TRUE(model) << model.error().sentence();
        EXPECT_EQ(model->classes(), (std::vector<std::string>{"a", "z"})) << name;
    }
}

TEST(RowSource, WhatRowsCannotBeIsSaidInOneSentence) {
    const double values[] = {1, 5, 2, 4, 7, 1, 9, 2};
    const std::vector<std::string> labels{"a", "a", "b", "b"};
    const auto said = [&](const Block& x, FitOptions options) {
        const auto model = fit(x, labels, options);
        return model ? std::string() : model.error().sentence();
    };
    EXPECT_EQ(said(rows(values, 4, 2), {.columns = {"x", "x"}}), "two columns have the name x");
    EXPECT_EQ(said(rows(values, 4, 2), {.columns = {"x"}}), "1 columns were declared for rows of 2");
    EXPECT_EQ(said(rows(values, 4, 0), {}), "there is no column to learn from");
    EXPECT_EQ(said(rows(values, 3, 2), {}), "4 labels for 3 rows");
    const double counts[] = {1, 5, 2, 4, -7, 1, 9, 2};
    EXPECT_EQ(said(rows(counts, 4, 2), {.families = {{"x0", "poisson"}}}),
              "row 3, column x0: there are values that poisson does not allow; it takes whole numbers from 0");
    const Table uneven = Table().numbers("a", {1.0, 2.0}).numbers("b", {1.0});
    EXPECT_EQ(fit(uneven, {"a", "b"}, FitOptions{}).error().sentence(),
              "column b: 1 values where the first column has 2");
    const auto model = fit(rows(values, 4, 2), labels, FitOptions{}).value();
    EXPECT_EQ(model.posteriors(Table().numbers("x0", {1.0})).error().sentence(), "the table has no column x1");
    EXPECT_EQ(model.posteriors(Table().words("x0", {"1", "2.5"}).words("x1", {"?", "7"})).value().row_count, 2u);
    EXPECT_EQ(model.posteriors(Table().words("x0", {"1", "two"}).numbers("x1", {1.0, 2.0})).error().sentence(),
              "row 2, column x0: two is no number");
}

}  // namespace
}  // namespace suffice
