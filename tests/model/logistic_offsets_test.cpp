// Offsets of logistic regression against R's glm, brglm2, nnet and glmnet, and by two laws: a constant offset moves the
// intercept alone, and an offset that is a multiple of a column takes that multiple off the column's coefficient.
#include <cmath>

#include "model/labeled_table.hpp"
#include "model/real_data.hpp"
#include <gtest/gtest.h>

#include "suffice/model/logistic_regression.hpp"

namespace suffice {
namespace {

using Row = std::span<const double>;  // sepal length and width, petal length and width
using Value = std::function<double(Row)>;

struct Made {
    std::string name;
    Value value;
};

// Iris, or two classes of it, with columns made of its own.
RealTable irises(const std::vector<Made>& columns, bool two) {
    const RealTable all = read_iris();
    RealTable some;
    some.schema.classes = all.schema.classes;
    if (two) some.schema.classes.erase(some.schema.classes.begin());
    for (const Made& each : columns) some.schema.columns.push_back({each.name});
    for (std::size_t row = 0; row < all.size(); ++row) {
        if (two && all.labels[row] == 0) continue;
        for (const Made& each : columns) some.values.push_back(each.value(Row(all.values).subspan(4 * row, 4)));
        some.labels.push_back(all.labels[row] - (two ? 1 : 0));
    }
    return some;
}

Value column(std::size_t j, double factor = 1, double shift = 0) {
    return [=](Row x) { return factor * x[j] + shift; };
}
Value constant(double value) {
    return [=](Row) { return value; };
}

LogisticRegression regress_with_offset(const RealTable& table, const LogisticSettings& settings) {
    MemoryStream stream(table.block(), table.schema);
    return fit_logistic_regression(table.schema, stream, settings).value();
}

double coefficient_of(const LogisticRegression& model, const std::string& class_name, const std::string& name) {
    for (const CoefficientLine& line : model.lines())
        if (line.name == name && model.schema().classes[line.class_code] == class_name) return line.coefficient;
    return std::nan("");
}

void expect_table(const LogisticRegression& model, const std::string& fit, double precision) {
    std::size_t seen = 0;
    for (const auto& line : testing_rows::csv_lines(SUFFICE_SOURCE_DIR "/tests/goldens/offsets.csv")) {
        if (line[0] != fit) continue;
        for (const CoefficientLine& ours : model.lines()) {
            if (ours.name != (line[2] == "(Intercept)" ? "(intercept)" : line[2]) ||
                model.schema().classes[ours.class_code] != line[1])
                continue;
            ++seen;
            SCOPED_TRACE(fit + " " + line[1] + " " + ours.name);
            EXPECT_NEAR(ours.coefficient, std::stod(line[3]), precision * std::abs(std::stod(line[3])));
            EXPECT_NEAR(ours.standard_error, std::stod(line[4]), precision * std::stod(line[4]));
        }
        EXPECT_NEAR(model.deviance(), std::stod(line[5]), precision * std::stod(line[5]));
        EXPECT_NEAR(model.null_deviance(), std::stod(line[6]), precision * std::stod(line[6]));
    }
    EXPECT_EQ(seen, model.parameter_count());
}

TEST(LogisticOffsets, WithAProbitAndWithFirthsPenaltyTheyHaveTheTablesOfGlmAndBrglm) {
    const RealTable table =
        irises({{"known", column(0)}, {"petal_length", column(2)}, {"petal_width", column(3)}}, true);
    LogisticSettings settings;
    settings.offset = "known";
    settings.link = Link::probit;
    expect_table(regress_with_offset(table, settings), "probit", 1e-8);
    settings.link = Link::logit;
    settings.firth = true;
    expect_table(regress_with_offset(table, settings), "firth", 1e-8);
}

TEST(LogisticOffsets, OfThreeClassesTheyHaveTheTableOfMultinom) {
    const RealTable table =
        irises({{"first", column(0)}, {"sepal_width", column(1)}, {"second", column(2)}, {"third", column(3)}}, false);
    LogisticSettings settings;
    settings.class_offset = {"first", "second", "third"};
    const LogisticRegression model = regress_with_offset(table, settings);
    expect_table(model, "multinom", 1e-6);
    EXPECT_NEAR(coefficient_of(model, "virginica", "third"), 1, 1e-12);
    EXPECT_NEAR(coefficient_of(model, "virginica", "second"), 0, 1e-12);
    EXPECT_NEAR(coefficient_of(model, "virginica", "first"), -1, 1e-12);
    const Matrix p = model.posteriors(table.rows()).value();
    double loss = 0;  // predictions have the offsets of their rows
    for (std::size_t row = 0; row < table.size(); ++row)
        loss -= std::log(p(row, static_cast<std::size_t>(table.labels[row])));
    EXPECT_NEAR(2 * loss, model.deviance(), 1e-9);
}

// glmnet's strengths are per row.
TEST(LogisticOffsets, WithLassoAndElasticNetTheyAreThoseOfGlmnet) {
    const RealTable two = irises({{"known", column(0, 1, -6)},
                                  {"sepal_width", column(1)},
                                  {"petal_length", column(2)},
                                  {"petal_width", column(3)}},
                                 true);
    const RealTable three = irises({{"first", column(3, 0.5)},
                                    {"second", column(2, 0.25)},
                                    {"third", column(3)},
                                    {"sepal_width", column(1)},
                                    {"sepal_length", column(0)}},
                                   false);
    for (const bool net : {false, true})
        for (const RealTable* table : {&two, &three}) {
            const bool binary = table == &two;
            const double strength = (binary ? 0.03 : 0.05) * static_cast<double>(table->size());
            LogisticSettings settings;
            settings.lasso = net ? strength / 2 : strength;
            settings.penalty = net ? strength / 2 : 0;
            settings.tolerance = 1e-14;
            if (binary)
                settings.offset = "known";
            else
                settings.class_offset = {"first", "second", "third"};
            const LogisticRegression model = regress_with_offset(*table, settings);
            const LogisticParameter& found = model.state().parameter;
            const std::vector<std::string> names = model.state().features.names(model.schema());
            for (const auto& line : testing_rows::csv_lines(SUFFICE_SOURCE_DIR "/tests/goldens/offsets.csv")) {
                if (line[0] != std::string(net ? "net" : "lasso") + (binary ? "_two" : "_three")) continue;
                SCOPED_TRACE(line[0] + " " + line[1] + " " + line[2]);
                double ours = std::nan("");
                if (binary) {
                    ours = coefficient_of(model, line[1], line[2] == "(Intercept)" ? "(intercept)" : line[2]);
                } else {
                    const auto c = static_cast<std::size_t>(std::ranges::find(table->schema.classes, line[1]) -
                                                            table->schema.classes.begin());
                    const auto j = static_cast<std::size_t>(std::ranges::find(names, line[2]) - names.begin());
                    ours = line[2] == "(Intercept)" ? found.intercept[c] : found.coefficient[c * names.size() + j];
                }
                EXPECT_NEAR(ours, std::stod(line[3]), 2e-5 * std::max(1.0, std::abs(std::stod(line[3]))));
            }
        }
}

std::vector<LogisticSettings> of_two_classes() {
    LogisticSettings plain, probit, firth;
    probit.link = Link::probit;
    firth.firth = true;
    for (LogisticSettings* each : {&plain, &probit, &firth}) each->tolerance = 1e-14;
    return {plain, probit, firth};
}

TEST(LogisticOffsets, AMultipleOfAColumnComesOffItsCoefficient) {
    const std::vector<Made> plain{{"x", column(1)}, {"z", column(0)}};
    std::vector<Made> with = plain;
    with.push_back({"known", column(1, 0.7)});
    for (LogisticSettings settings : of_two_classes()) {
        const LogisticRegression without = regress_with_offset(irises(plain, true), settings);
        settings.offset = "known";
        const LogisticRegression model = regress_with_offset(irises(with, true), settings);
        EXPECT_TRUE(model.notes().empty()) << model.notes().front().told();
        EXPECT_EQ(model.parameter_count(), 3u);
        EXPECT_NEAR(coefficient_of(model, "virginica", "x"), coefficient_of(without, "virginica", "x") - 0.7, 1e-6);
        EXPECT_NEAR(coefficient_of(model, "virginica", "z"), coefficient_of(without, "virginica", "z"), 1e-6);
        EXPECT_NEAR(model.deviance(), without.deviance(), 1e-8);
    }
    const std::vector<Made> narrow{{"x", column(1)}};
    std::vector<Made> several = narrow;
    for (double factor : {0.2, -0.3, 0.9}) several.push_back({"by " + std::to_string(factor), column(1, factor)});
    LogisticSettings settings;
    const LogisticRegression without = regress_with_offset(irises(narrow, false), settings);
    for (std::size_t j = 1; j < 4; ++j) settings.class_offset.push_back(several[j].name);
    const LogisticRegression model = regress_with_offset(irises(several, false), settings);
    EXPECT_TRUE(model.notes().empty());
    EXPECT_NEAR(coefficient_of(model, "versicolor", "x"), coefficient_of(without, "versicolor", "x") + 0.5, 1e-6);
    EXPECT_NEAR(coefficient_of(model, "virginica", "x"), coefficient_of(without, "virginica", "x") - 0.7, 1e-6);
}

TEST(LogisticOffsets, AConstantMovesTheInterceptAloneAndLeavesTheEvidence) {
    const std::vector<Made> plain{{"x", column(1)}, {"z", column(0)}};
    std::vector<Made> with = plain;
    with.push_back({"known", constant(3)});
    std::vector<LogisticSettings> all = of_two_classes();
    all.emplace_back().penalty = 2;
    all.emplace_back().lasso = 3;
    for (LogisticSettings settings : all) {
        const LogisticRegression without = regress_with_offset(irises(plain, true), settings);
        settings.offset = "known";
        const LogisticRegression model = regress_with_offset(irises(with, true), settings);
        for (const std::string name : {"x", "z"})
            EXPECT_NEAR(coefficient_of(model, "virginica", name), coefficient_of(without, "virginica", name), 1e-5);
        EXPECT_NEAR(coefficient_of(model, "virginica", "(intercept)"),
                    coefficient_of(without, "virginica", "(intercept)") - 3, 1e-4);
        if (settings.penalty > 0) {
            EXPECT_NEAR(model.laplace_log_evidence().value(), without.laplace_log_evidence().value(), 1e-6);
        }
    }
    LogisticSettings settings;
    settings.penalty = 2;
    const LogisticRegression without = regress_with_offset(irises(plain, false), settings);
    with.insert(with.begin(), {"other", constant(-1)});
    with.push_back({"last", constant(0.5)});
    settings.class_offset = {"other", "known", "last"};
    const LogisticRegression model = regress_with_offset(irises(with, false), settings);
    EXPECT_NEAR(coefficient_of(model, "versicolor", "(intercept)"),
                coefficient_of(without, "versicolor", "(intercept)") - 4, 1e-5);
    EXPECT_NEAR(model.laplace_log_evidence().value(), without.laplace_log_evidence().value(), 1e-6);
}

// An offset that tells the classes apart by itself does not separate them: it cannot grow.
TEST(LogisticOffsets, SeparateNothing) {
    RealTable table = irises({{"x", column(1)}, {"known", column(0)}}, true);
    for (std::size_t row = 0; row < table.size(); ++row) table.values[2 * row + 1] = table.labels[row] == 1 ? 9 : -9;
    LogisticSettings settings;
    settings.offset = "known";
    const LogisticRegression model = regress_with_offset(table, settings);
    EXPECT_FALSE(model.state().separated);
    EXPECT_TRUE(model.state().converged);
}

TEST(LogisticOffsets, WhatCannotBeOneIsOneSentence) {
    const RealTable table = irises({{"x", column(1)}, {"y", column(0)}, {"z", column(2)}}, false);
    const auto refused = [&](const LogisticSettings& settings) {
        MemoryStream stream(table.block(), table.schema);
        const auto done = fit_logistic_regression(table.schema, stream, settings);
        return done ? std::string() : done.error().message;
    };
    LogisticSettings one, few, twice, unknown;
    one.offset = "x";
    few.class_offset = {"x", "y"};
    twice.class_offset = {"x", "y", "x"};
    unknown.class_offset = {"x", "y", "dose"};
    EXPECT_EQ(refused(one), "an offset takes one column for each of the 3 classes in their order, and 1 was given");
    EXPECT_EQ(refused(few), "an offset takes one column for each of the 3 classes in their order, and 2 were given");
    EXPECT_EQ(refused(twice), "a column is the offset of one class only");
    EXPECT_EQ(refused(unknown), "there is no column dose for the offset");
}

}  // namespace
}  // namespace suffice
