// The probit link, Firth's penalty and offsets against R's glm and brglm2; moderated posteriors against averages over
// drawn coefficients; the evidence against its integral.
#include <cmath>

#include "model/labeled_table.hpp"
#include "model/real_data.hpp"
#include <gtest/gtest.h>

#include "suffice/math/sampling.hpp"
#include "suffice/model/logistic_regression.hpp"

namespace suffice {
namespace {

LogisticRegression regress_by_link(const RealTable& table, const LogisticSettings& settings) {
    MemoryStream stream(table.block(), table.schema);
    return fit_logistic_regression(table.schema, stream, settings).value();
}

// Iris of the two classes that `second` tells apart, with these columns.
RealTable irises(const std::vector<std::size_t>& columns, bool with_setosa) {
    const RealTable all = read_iris();
    RealTable some;
    for (std::size_t column : columns) some.schema.columns.push_back(all.schema.columns[column]);
    some.schema.classes = {"first", "second"};
    for (std::size_t row = 0; row < all.size(); ++row) {
        if (!with_setosa && all.labels[row] == 0) continue;
        for (std::size_t column : columns) some.values.push_back(all.values[row * all.width() + column]);
        some.labels.push_back(all.labels[row] > (with_setosa ? 0 : 1));
    }
    return some;
}

void expect_golden(const LogisticRegression& model, const std::string& fit) {
    const auto table = model.table().value();
    std::size_t seen = 0;
    for (const auto& line : testing_rows::csv_lines(SUFFICE_SOURCE_DIR "/tests/goldens/glm_links.csv")) {
        if (line[0] != fit) continue;
        const std::string name = line[1] == "(Intercept)" ? "(intercept)" : line[1];
        for (const CoefficientLine& ours : table) {
            if (ours.name != name) continue;
            ++seen;
            SCOPED_TRACE(fit + " " + name);
            EXPECT_NEAR(ours.coefficient, std::stod(line[2]), 1e-8 * std::abs(std::stod(line[2])));
            EXPECT_NEAR(ours.standard_error, std::stod(line[3]), 1e-8 * std::stod(line[3]));
        }
        EXPECT_NEAR(model.deviance(), std::stod(line[4]), 1e-8 * std::stod(line[4]));
        EXPECT_NEAR(model.null_deviance(), std::stod(line[5]), 1e-8 * std::stod(line[5]));
    }
    EXPECT_EQ(seen, 3u);
}

TEST(LogisticLinks, AProbitHasTheTableOfGlm) {
    RealTable table = irises({0, 3}, false);
    for (std::size_t row = 0; row < table.size(); ++row) table.weights.push_back(1.0 + static_cast<double>(row % 3));
    LogisticSettings settings;
    settings.link = Link::probit;
    const LogisticRegression model = regress_by_link(table, settings);
    expect_golden(model, "probit");
    const Matrix w = model.contrasts();
    const Matrix p = model.posteriors(table.rows()).value();
    for (std::size_t row = 0; row < table.size(); ++row) {
        const double a = w(0, 0) + w(0, 1) * table.values[2 * row] + w(0, 2) * table.values[2 * row + 1];
        EXPECT_NEAR(p(row, 1), std::erfc(-a / std::sqrt(2.0)) / 2, 1e-12);
    }
    EXPECT_FALSE(model.form().has_value());
}

TEST(LogisticLinks, FirthsPenaltyHasTheTableOfBrglm) {
    LogisticSettings settings;
    settings.firth = true;
    expect_golden(regress_by_link(irises({0, 3}, false), settings), "firth");
    const LogisticRegression separated = regress_by_link(irises({0, 3}, true), settings);
    expect_golden(separated, "firth_separated");
    EXPECT_FALSE(separated.state().separated);
    EXPECT_TRUE(separated.state().converged);
}

TEST(LogisticLinks, AnOffsetHasTheTableOfGlm) {
    LogisticSettings settings;
    settings.offset = "sepal_length";
    expect_golden(regress_by_link(irises({0, 2, 3}, false), settings), "offset");
}

// In a table of two by two Firth's penalty adds one half to every cell.
TEST(LogisticLinks, FirthsPenaltyOfATwoByTwoTableIsOneHalfInEachCell) {
    const double cells[2][2] = {{7, 2}, {3, 0}};  // [column][class]; the empty cell separates
    RealTable table;
    table.schema.columns.push_back({"x"});
    table.schema.classes = {"a", "b"};
    for (int x : {0, 1})
        for (int y : {0, 1}) {
            if (cells[x][y] == 0) continue;
            table.values.push_back(x);
            table.labels.push_back(y);
            table.weights.push_back(cells[x][y]);
        }
    LogisticSettings settings;
    settings.firth = true;
    const Matrix w = regress_by_link(table, settings).contrasts();
    EXPECT_NEAR(w(0, 0), std::log(2.5 / 7.5), 1e-8);
    EXPECT_NEAR(w(0, 1), std::log(0.5 * 7.5 / (2.5 * 3.5)), 1e-8);
}

TEST(LogisticLinks, WhatTheyDoNotGoWithIsOneSentence) {
    const RealTable three = read_iris();
    MemoryStream stream(three.block(), three.schema);
    LogisticSettings firth, probit;
    firth.firth = true;
    probit.link = Link::probit;
    const auto refused = fit_logistic_regression(three.schema, stream, probit);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("two classes"), std::string::npos);
    const RealTable two = irises({0, 3}, false);
    MemoryStream rows(two.block(), two.schema);
    firth.penalty = 1;
    EXPECT_FALSE(fit_logistic_regression(two.schema, rows, firth));
    probit.lasso = 1;
    EXPECT_FALSE(fit_logistic_regression(two.schema, rows, probit));
}

// Draws coefficients from the posterior and averages the softmax.
TEST(LogisticLinks, ModeratedPosteriorsOfThreeClassesAverageOverTheCoefficients) {
    const RealTable iris = read_iris();
    LogisticSettings settings;
    settings.penalty = 1;
    const LogisticRegression model = regress_by_link(iris, settings);
    const LogisticRegression moderated = model.moderated().value();
    const std::size_t side = 10;
    std::vector<double> factor = model.state().covariance;
    for (std::size_t i = 0; i < side; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = factor[i * side + j];
            for (std::size_t m = 0; m < j; ++m) sum -= factor[i * side + m] * factor[j * side + m];
            factor[i * side + j] = i == j ? std::sqrt(sum) : sum / factor[j * side + j];
        }
    const std::vector<std::size_t> chosen{0, 60, 70, 83, 110, 133};
    const Matrix got = moderated.posteriors(iris.rows()).value();
    const Matrix w = model.contrasts();
    std::vector<std::array<double, 3>> mean(chosen.size());
    Rng rng(7, "moderated");
    constexpr int draws = 4000;
    for (int draw = 0; draw < draws; ++draw) {
        std::vector<double> normal(side), theta(side);
        for (double& value : normal) value = sample_normal(rng);
        for (std::size_t i = 0; i < side; ++i) {
            theta[i] = w(i / 5, i % 5);
            for (std::size_t j = 0; j <= i; ++j) theta[i] += factor[i * side + j] * normal[j];
        }
        for (std::size_t r = 0; r < chosen.size(); ++r) {
            double score[3] = {0, theta[0], theta[5]}, sum = 0;
            for (std::size_t j = 0; j < 4; ++j)
                for (std::size_t c : {1u, 2u}) score[c] += theta[(c - 1) * 5 + j + 1] * iris.values[4 * chosen[r] + j];
            for (double s : score) sum += std::exp(s);
            for (std::size_t c = 0; c < 3; ++c) mean[r][c] += std::exp(score[c]) / sum / draws;
        }
    }
    for (std::size_t r = 0; r < chosen.size(); ++r)
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(got(chosen[r], c), mean[r][c], 0.03) << chosen[r] << ' ' << c;
}

TEST(LogisticLinks, ModeratedPosteriorsDoNotDependOnWhichClassComesFirst) {
    const RealTable iris = read_iris();
    RealTable turned = iris;
    std::swap(turned.schema.classes[0], turned.schema.classes[2]);
    for (auto& label : turned.labels) label = 2 - label;
    LogisticSettings settings;
    settings.penalty = 1;
    const Matrix one = regress_by_link(iris, settings).moderated().value().posteriors(iris.rows()).value();
    const Matrix other = regress_by_link(turned, settings).moderated().value().posteriors(iris.rows()).value();
    for (std::size_t row = 0; row < iris.size(); ++row)
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(one(row, c), other(row, 2 - c), 1e-7);
}

// Phi(a / sqrt(1 + s^2)) is exact, so a normal score drawn and put through Phi has it as its mean.
TEST(LogisticLinks, AModeratedProbitIsItsExactAverage) {
    const RealTable table = irises({3}, false);
    LogisticSettings settings;
    settings.link = Link::probit;
    const LogisticRegression model = regress_by_link(table, settings);
    const Matrix w = model.contrasts(), p = model.moderated().value().posteriors(table.rows()).value();
    const std::vector<double>& s = model.state().covariance;
    for (std::size_t row = 0; row < table.size(); row += 9) {
        const double x = table.values[row], a = w(0, 0) + w(0, 1) * x;
        const double deviation = std::sqrt(s[0] + 2 * x * s[1] + x * x * s[3]);
        double mean = 0, weight = 0;
        for (double t = -8; t <= 8; t += 0.01) {
            const double density = std::exp(-t * t / 2);
            mean += density * std::erfc(-(a + deviation * t) / std::sqrt(2.0)) / 2;
            weight += density;
        }
        EXPECT_NEAR(p(row, 1), mean / weight, 1e-8);
    }
}

TEST(LogisticLinks, TheEvidenceIsTheIntegralOfLikelihoodAndPrior) {
    const RealTable table = irises({0}, false);
    LogisticSettings settings;
    settings.penalty = 0.5;
    const LogisticRegression model = regress_by_link(table, settings);
    const Matrix w = model.contrasts();
    double sum = 0;  // over slope and the intercept at the mean of x, whose prior is flat
    const double middle = 6.262, step = 0.05;
    for (double slope = w(0, 1) - 5; slope < w(0, 1) + 5; slope += step)
        for (double level = -4; level < 4; level += step) {
            double log = -settings.penalty / 2 * slope * slope + std::log(settings.penalty / (2 * M_PI)) / 2;
            for (std::size_t row = 0; row < table.size(); ++row) {
                const double a = level + slope * (table.values[row] - middle);
                log -= std::log1p(std::exp(table.labels[row] == 1 ? -a : a));
            }
            sum += std::exp(log + 70) * step * step;
        }
    EXPECT_NEAR(model.laplace_log_evidence().value(), std::log(sum) - 70, 0.05);
    EXPECT_FALSE(regress_by_link(table, {}).laplace_log_evidence());
}

}  // namespace
}  // namespace suffice
