// The thin line through every room: file -> model -> file -> posteriors.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "suffice/flow/update.hpp"
#include "suffice/persist/bytes.hpp"
#include "suffice/suffice.hpp"

namespace suffice {
namespace {

const std::string data = SUFFICE_SOURCE_DIR "/data/";

std::string temporary(const std::string& name) {
    return (std::filesystem::temp_directory_path() / ("suffice_" + std::to_string(::getpid()) + "_" + name)).string();
}

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

TEST(Flow, AFileBecomesAModelAndAModelAFile) {
    const auto model = fit({data + "iris.csv"}, {.target = "species", .model = "lda"}).value();
    EXPECT_EQ(model.classes(), (std::vector<std::string>{"setosa", "versicolor", "virginica"}));
    const std::string path = temporary("iris.suf");
    save(model, path).value();
    const auto back = load(path).value();
    EXPECT_EQ(back.file(), model.file());
    const double row[] = {5.1, 3.5, 1.4, 0.2};
    EXPECT_EQ(back.predict(rows(row, 1, 4)).value(), std::vector<std::string>{"setosa"});
    EXPECT_EQ(back.posteriors(rows(row, 1, 4)).value(), model.posteriors(rows(row, 1, 4)).value());
    std::remove(path.c_str());
}

TEST(Flow, ModelsFittedByPassesAreSavedScoredAndUpdatedLikeOthers) {
    for (const char* name : {"mda", "logistic"}) {
        FitOptions options{.target = "species", .model = name};
        if (std::string_view(name) == "mda") options.mixture.components = 2;
        const auto model = fit({data + "iris.csv"}, options).value();
        const std::string path = temporary("passes.suf");
        save(model, path).value();
        const auto back = load(path).value();
        EXPECT_EQ(back.file(), model.file()) << name;
        const double row[] = {5.1, 3.5, 1.4, 0.2};
        EXPECT_EQ(back.predict(rows(row, 1, 4)).value(), std::vector<std::string>{"setosa"}) << name;
        EXPECT_EQ(back.posteriors(rows(row, 1, 4)).value(), model.posteriors(rows(row, 1, 4)).value()) << name;
        EXPECT_NE(merge(model, back).error().message.find("use update"), std::string::npos) << name;
        const auto more = update(model, {data + "iris.csv"}, {}).value();
        EXPECT_NEAR(more.predictor().log_likelihood(), model.predictor().log_likelihood(), 1e-2) << name;
        std::remove(path.c_str());
    }
}

TEST(Flow, RowsWithoutAClassTakePartWhenAsked) {
    const std::string path = temporary("some.csv");
    write(path, "x,c\n0,a\n0.1,\n0.2,\n-0.1,a\n5,b\n5.1,\n5.2,\n4.9,b\n");
    const auto all = fit({path}, {.target = "c", .model = "gnb", .passes = {.unlabeled = Unlabeled::use}}).value();
    EXPECT_NEAR(all.predictor().weight(), 8, 1e-9);
    EXPECT_NEAR(all.predictor().describe().columns[0].by_class[0].number("mean"), 0.05, 1e-6);
    EXPECT_NEAR(fit({path}, {.target = "c", .model = "gnb"}).value().predictor().weight(), 4, 1e-9);
    std::remove(path.c_str());
}

TEST(Flow, ARowInMemoryOfWeightTwoIsTwoRows) {
    const double once[] = {1, 5, 2, 4, 7, 1, 9, 2, 3, 3};
    const double twice[] = {1, 5, 2, 4, 2, 4, 7, 1, 9, 2, 3, 3};
    const std::vector<double> weights{1, 2, 1, 1, 1};
    for (const std::string name : {"gaussian_nb", "lda"}) {
        const FitOptions options{.model = name};
        const auto weighted = fit(rows(once, 5, 2), {"a", "a", "b", "b", "b"}, weights, options).value();
        const auto repeated = fit(rows(twice, 6, 2), {"a", "a", "a", "b", "b", "b"}, options).value();
        const auto p = weighted.posteriors(rows(once, 5, 2)).value(), q = repeated.posteriors(rows(once, 5, 2)).value();
        for (std::size_t k = 0; k < p.values.size(); ++k) EXPECT_NEAR(p.values[k], q.values[k], 1e-12) << name;
    }
    EXPECT_EQ(fit(rows(once, 5, 2), {"a", "a", "b", "b", "b"}, std::vector<double>{1, 2}, {}).error().message,
              "2 weights for 5 rows");
    EXPECT_FALSE(fit(rows(once, 5, 2), {"a", "a", "b", "b", "b"}, {.weight = "w"}));
}

TEST(Flow, MixedColumnsWithHolesAreNaiveBayes) {
    const auto model = fit({data + "penguins.csv"}, {.target = "species"}).value();
    EXPECT_EQ(model.classes().size(), 3u);
    EXPECT_NEAR(model.seen().rows, 344, 1e-9);
    EXPECT_EQ(to_bytes(model.file()), to_bytes(fit({data + "penguins.csv"}, {.target = "species"}).value().file()));
}

TEST(Flow, PiecesMergedAreTheWholeAndRowsCanBeForgotten) {
    const std::string a = temporary("a.csv"), b = temporary("b.csv"), all = temporary("all.csv");
    const std::string head = "x,color,label\n";
    std::string left, right;
    for (int k = 0; k < 40; ++k) {
        left += std::to_string(k % 7) + (k % 3 ? ",red," : ",blue,") + (k % 2 ? "yes" : "no") + "\n";
        right += std::to_string(k % 5 + 0.5) + (k % 4 ? ",green," : ",red,") + (k % 3 ? "no" : "maybe") + "\n";
    }
    write(a, head + left);
    write(b, head + right);
    write(all, head + left + right);
    const FitOptions options{.target = "label"};
    const auto whole = fit({all}, options).value(), first = fit({a}, options).value(),
               second = fit({b}, options).value();
    const auto both = merge(first, second).value();
    EXPECT_EQ(both.classes(), whole.classes());
    const double row[] = {2.5, 1};
    const auto p = whole.posteriors(rows(row, 1, 2)).value(), q = both.posteriors(rows(row, 1, 2)).value();
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(p(0, c), q(0, c), 1e-12);
    const auto updated = update(first, {b}, {}).value();
    EXPECT_EQ(updated.schema(), whole.schema());
    const auto rest = forget(whole, {b}, {}).value();
    EXPECT_EQ(rest.schema(), first.schema());
    for (const auto& path : {a, b, all}) std::remove(path.c_str());
}

TEST(Flow, AFlagThatTurnsOutToBeANumberBecomesOne) {
    const std::string path = temporary("flags.csv");
    std::string text = "x,label\n";
    for (int k = 0; k < 300000; ++k) text += std::to_string(k % 2) + (k % 3 ? ",a\n" : ",b\n");
    text += "7,a\n";
    write(path, text);
    const auto model = fit({path}, {.target = "label"}).value();
    EXPECT_EQ(model.schema().columns[0].kind, ColumnKind::number);
    EXPECT_EQ(model.as<Classifier>()->state().statistic.parts.size(), 1u);
    EXPECT_EQ(model.as<Classifier>()->state().statistic.parts[0].name(), "evidence");  // of numbers
    std::remove(path.c_str());
}

// Two row groups are two units, so equality with the CSV file is that of rounding.
TEST(Flow, ParquetAndArrowFilesGiveTheModelOfTheCsvFile) {
    const auto csv = fit({data + "penguins.csv"}, {.target = "species"}).value();
    for (const char* name : {"penguins.parquet", "penguins.arrow"}) {
        const auto model = fit({SUFFICE_SOURCE_DIR "/tests/goldens/" + std::string(name)}, {.target = "species"});
        if (!model && model.error().message.find("libsuffice_arrow.so") != std::string::npos)
            GTEST_SKIP() << "built without Arrow";
        ASSERT_TRUE(model) << model.error().sentence();
        EXPECT_EQ(model->schema(), csv.schema()) << name;
        EXPECT_EQ(model->predictor().parameter_count(), csv.predictor().parameter_count()) << name;
        EXPECT_NEAR(model->predictor().log_likelihood() / csv.predictor().log_likelihood(), 1, 1e-12) << name;
    }
}

TEST(Flow, BadInputIsOneSentence) {
    EXPECT_EQ(fit({data + "iris.csv"}, {.target = "specie"}).error().message,
              "there is no column specie; did you mean species?");
    EXPECT_FALSE(fit({data + "nothing.csv"}, {.target = "x"}));
    EXPECT_EQ(fit({data + "iris.csv"}, {.target = "species", .model = "ldaa"}).error().message,
              "there is no model ldaa; did you mean lda?");
    const std::string path = temporary("one.csv");
    write(path, "x,y\n1,a\n2,a\n");
    EXPECT_EQ(fit({path}, {.target = "y"}).error().message,
              "there is only one class, a: the column y must hold at least two");
    std::remove(path.c_str());
}

TEST(Flow, ADamagedModelFileIsRefused) {
    const auto model = fit({data + "iris.csv"}, {.target = "species", .model = "qda"}).value();
    std::string bytes = to_file_bytes(model.file());
    EXPECT_TRUE(from_file_bytes(bytes));
    for (std::size_t size = 0; size < bytes.size(); size += 97)
        EXPECT_FALSE(from_file_bytes(std::string_view(bytes).substr(0, size)));
    for (std::size_t at = 8; at < bytes.size(); at += 61) {
        std::string wrong = bytes;
        wrong[at] ^= 0x11;
        EXPECT_FALSE(from_file_bytes(wrong)) << "byte " << at;
    }
}

}  // namespace
}  // namespace suffice
