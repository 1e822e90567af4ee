// Softmax regression: derivatives against differences, optimality, and what happens where no maximum exists.
#include "suffice/regress/logistic.hpp"

#include <cmath>

#include "regress/logistic_sample.hpp"
#include <gtest/gtest.h>

#include "suffice/data/stream.hpp"
#include "suffice/regress/class_contrasts.hpp"
#include "suffice/regress/logistic_pass.hpp"

namespace suffice {
namespace {

LogisticSums sums_at(const Problem& problem, const LogisticRows& rows, const std::vector<double>& theta,
                     bool with_curvature) {
    const std::size_t k = problem.schema.classes.size(), d = problem.width();
    LogisticPass pass;
    pass.rows = &rows;
    pass.with_curvature = with_curvature;
    for (std::size_t c = 0; c < k; ++c) {
        for (std::size_t j = 0; j < d; ++j) pass.coefficient.push_back(theta[c * (d + 1) + j]);
        pass.bias.push_back(theta[c * (d + 1) + d]);
    }
    MemoryStream stream(problem.block(), problem.schema);
    return fold(pass, stream, {}).value();
}

TEST(LogisticPass, GradientAndHessianAreTheDifferencesOfTheLoss) {
    const Problem problem(700, 3, 4);
    const std::size_t k = 4, d = 3, width = d + 1;
    LogisticRows rows;
    rows.features = Features::of(problem.schema).value();
    rows.classes = problem.schema.classes;
    rows.centre = {1, 2, 3};
    rows.class_weight = {1, 2, 0.5, 1};
    const ClassContrasts contrasts(k);
    Rng rng(5, "phi");
    std::vector<double> phi((k - 1) * width);
    for (double& value : phi) value = 0.1 * sample_normal(rng);
    const auto gradient_at = [&](const std::vector<double>& at) {
        const LogisticSums sums = sums_at(problem, rows, contrasts.to_classes(at, width), false);
        std::vector<double> theta(k * width);
        for (std::size_t c = 0; c < k; ++c) {
            for (std::size_t j = 0; j < d; ++j) theta[c * width + j] = sums.gradient[c * d + j];
            theta[c * width + d] = sums.bias_gradient[c];
        }
        return std::pair(sums.loss, contrasts.to_contrasts(theta, width));
    };
    const auto hessian = contrasts.hessian(sums_at(problem, rows, contrasts.to_classes(phi, width), true), d);
    const auto gradient = gradient_at(phi).second;
    for (std::size_t i = 0; i < phi.size(); ++i) {
        const double h = 1e-5;
        std::vector<double> up = phi, down = phi;
        up[i] += h, down[i] -= h;
        const auto above = gradient_at(up), below = gradient_at(down);
        EXPECT_NEAR(gradient[i], (above.first - below.first) / (2 * h), 1e-5 * (1 + std::abs(gradient[i]))) << i;
        for (std::size_t j = 0; j < phi.size(); ++j) {
            const double difference = (above.second[j] - below.second[j]) / (2 * h);
            EXPECT_NEAR(hessian[i * phi.size() + j], difference, 1e-5 * (1 + std::abs(difference))) << i << " " << j;
        }
    }
}

TEST(Logistic, TheGradientIsZeroAtTheAnswerOfRandomProblems) {
    for (const std::size_t k : {2, 3, 5})
        for (const double penalty : {0.0, 1.0, 100.0}) {
            const Problem problem(900, 4, k, 11 + k);
            LogisticSettings settings;
            settings.penalty = penalty;
            const LogisticFit fit = problem.fit(settings).value();
            std::vector<double> gradient;
            const double value = problem.objective(fit.parameter, penalty, &gradient);
            EXPECT_NEAR(fit.objective, value, 1e-10 * value);
            EXPECT_TRUE(fit.converged);
            EXPECT_TRUE(fit.notes.empty()) << fit.notes[0].told();
            for (double g : gradient) EXPECT_NEAR(g, 0, 1e-7) << k << " classes, penalty " << penalty;
        }
}

// More parameters than an exact Hessian is formed for: Boehning's bound and limited-memory BFGS.
TEST(Logistic, ManyParametersReachTheGradientOfZeroAsWell) {
    const Problem problem(3000, 40, 20, 5, 0.3);
    LogisticSettings settings;
    settings.penalty = 1;
    settings.tolerance = 1e-14;
    const LogisticFit fit = problem.fit(settings).value();
    std::vector<double> gradient;
    problem.objective(fit.parameter, 1, &gradient);
    EXPECT_TRUE(fit.converged);
    EXPECT_LT(fit.iterations, 150u);
    for (double g : gradient) EXPECT_NEAR(g, 0, 2e-2);
    EXPECT_TRUE(fit.covariance.empty());
}

// Indicators and a few numbers: the rows as a sparse block must give what they give filled in.
TEST(Logistic, ThinSparseRowsAreFittedAsTheyAreFilledIn) {
    for (std::size_t k : {2, 3}) {
        Problem problem(900, 12, k, 5);
        std::vector<std::int64_t> row_start{0};
        std::vector<std::uint32_t> column;
        std::vector<double> value;
        for (std::size_t row = 0; row < 900; ++row) {
            double* x = problem.values.data() + row * 12;
            const double number = x[0];
            std::fill_n(x, 12, 0.0);
            x[0] = number;
            x[1 + (row * 7 + static_cast<std::size_t>(problem.labels[row] * (row % 3 == 0))) % 11] = 1;
            for (std::uint32_t j = 0; j < 12; ++j)
                if (x[j] != 0) column.push_back(j), value.push_back(x[j]);
            row_start.push_back(static_cast<std::int64_t>(column.size()));
        }
        for (std::size_t row = 0; row < 900; row += 5) {  // entries in any order, and one in two pieces
            const auto first = static_cast<std::size_t>(row_start[row]);
            std::swap(column[first], column[first + 1]);
            std::swap(value[first], value[first + 1]);
        }
        column.push_back(column.back());
        value.back() = 0.25, value.push_back(0.75);
        row_start.back() += 1;
        LogisticSettings settings;
        settings.penalty = 0.5;
        const LogisticFit dense = problem.fit(settings).value();
        MemoryStream stream({SparseBlock{row_start, column, value, 12}, problem.labels, problem.weights, 0},
                            problem.schema);
        const LogisticFit sparse =
            fit_logistic(problem.schema, Features::of(problem.schema).value(), stream, settings, {}).value();
        EXPECT_EQ(sparse.rank, dense.rank);
        for (std::size_t i = 0; i < k * 12; ++i)
            EXPECT_NEAR(sparse.parameter.coefficient[i], dense.parameter.coefficient[i], 1e-8) << i;
        for (std::size_t i = 0; i < dense.covariance.size(); ++i)
            EXPECT_NEAR(sparse.covariance[i], dense.covariance[i], 1e-8) << i;
    }
}

// Very many certain rows, so that a sample of them says nothing of the curvature.
TEST(Logistic, NearlySeparatedRowsReachTheGradientOfZero) {
    Problem problem(60000, 8, 3, 9, 30);
    LogisticSettings settings;
    settings.penalty = 1;
    const LogisticFit fit = problem.fit(settings).value();
    EXPECT_TRUE(fit.converged);
    std::vector<double> gradient;
    problem.objective(fit.parameter, 1, &gradient);
    for (double g : gradient) EXPECT_NEAR(g, 0, 0.5);
}

TEST(Logistic, WeightTwoIsTwoRowsAndTheBitsDoNotDependOnThreads) {
    Problem once(9000, 3, 3, 8);
    for (double& w : once.weights) w = 2;
    Problem twice = once;
    twice.weights.clear();
    twice.values.insert(twice.values.end(), once.values.begin(), once.values.end());
    twice.labels.insert(twice.labels.end(), once.labels.begin(), once.labels.end());
    const LogisticFit a = once.fit({}).value(), b = twice.fit({}).value();
    for (std::size_t i = 0; i < a.parameter.coefficient.size(); ++i)
        EXPECT_NEAR(a.parameter.coefficient[i], b.parameter.coefficient[i], 1e-9);
    EXPECT_NEAR(a.log_likelihood, b.log_likelihood, 1e-8);
    for (unsigned threads : {2u, 5u}) EXPECT_EQ(once.fit({}, threads).value().parameter, a.parameter);
}

TEST(Logistic, SeparatedClassesAreToldWithTheColumnThatSeparates) {
    Problem problem(200, 2, 2);
    for (std::size_t row = 0; row < 200; ++row) problem.labels[row] = problem.values[2 * row + 1] > 10 ? 1 : 0;
    const LogisticFit fit = problem.fit({}).value();
    EXPECT_TRUE(fit.separated);
    ASSERT_EQ(fit.notes.size(), 1u);
    EXPECT_NE(fit.notes[0].sentence.find("separated by a combination of the columns (x1"), std::string::npos)
        << fit.notes[0].told();
    LogisticSettings settings;
    settings.penalty = 0.1;
    EXPECT_FALSE(problem.fit(settings).value().separated);
}

TEST(Logistic, PartlySeparatedClassesAreToldToo) {
    Problem problem(300, 2, 2, 3, 0.5);
    for (std::size_t row = 0; row < 300; ++row) {  // x0 = 1 only ever in class 1, else undecided
        problem.values[2 * row] = row % 10 == 0 ? 1 : 0;
        if (row % 10 == 0) problem.labels[row] = 1;
    }
    const LogisticFit fit = problem.fit({}).value();
    EXPECT_TRUE(fit.separated);
    ASSERT_EQ(fit.notes.size(), 1u);
    EXPECT_NE(fit.notes[0].sentence.find("partly separated"), std::string::npos) << fit.notes[0].told();
    EXPECT_NE(fit.notes[0].sentence.find("(x0"), std::string::npos) << fit.notes[0].told();
}

TEST(Logistic, CollinearColumnsGiveTheShortestOfEqualFitsAndTheirRank) {
    const Problem narrow(500, 1, 2, 4);
    Problem wide = narrow;
    wide.values.clear();
    wide.schema.columns = {{"x"}, {"twice"}, {"constant"}};
    for (double x : narrow.values) wide.values.insert(wide.values.end(), {x, 2 * x, 7.0});
    const LogisticFit one = narrow.fit({}).value(), three = wide.fit({}).value();
    EXPECT_EQ(three.rank, 1u);
    EXPECT_NEAR(one.log_likelihood, three.log_likelihood, 1e-9);
    const double w = one.parameter.coefficient[1];
    EXPECT_NEAR(three.parameter.coefficient[3], w / 5, 1e-9);
    EXPECT_NEAR(three.parameter.coefficient[4], 2 * w / 5, 1e-9);
    EXPECT_NEAR(three.parameter.coefficient[5], 0, 1e-9);
    ASSERT_EQ(three.notes.size(), 1u);
    EXPECT_NE(three.notes[0].sentence.find("rank 1"), std::string::npos);
}

TEST(Logistic, AnOffsetHasCoefficientOneAndIsNotPenalised) {
    Problem problem(400, 3, 2, 6);
    LogisticSettings settings;
    settings.offset = "x2";
    settings.penalty = 1;
    const LogisticFit fit = problem.fit(settings).value();
    EXPECT_NEAR(fit.parameter.coefficient[5] - fit.parameter.coefficient[2], 1, 1e-12);
    std::vector<double> gradient;
    problem.objective(fit.parameter, 1, &gradient);
    for (std::size_t j : {0, 1, 3}) EXPECT_NEAR(gradient[j], 0, 1e-8) << j;
    EXPECT_EQ(fit.covariance[3 * 4 + 3], 0);
}

TEST(Logistic, WithoutAnInterceptTheInterceptIsZero) {
    Problem problem(400, 3, 3, 6);
    LogisticSettings settings;
    settings.intercept = false;
    const LogisticFit fit = problem.fit(settings).value();
    for (double b : fit.parameter.intercept) EXPECT_EQ(b, 0);
    std::vector<double> gradient;
    problem.objective(fit.parameter, 0, &gradient);
    for (std::size_t i = 0; i < gradient.size(); ++i) EXPECT_NEAR(i % 4 == 3 ? 0 : gradient[i], 0, 1e-7) << i;
}

TEST(Logistic, ConvergesFromAnyStart) {
    Rng rng(4, "starts");
    for (std::size_t k : {2, 3})
        for (int kind = 0; kind < (k == 2 ? 5 : 3); ++kind) {
            const Problem problem(250, 3, k, 5, 0.5);
            LogisticSettings settings;
            settings.penalty = kind == 1 ? 1 : 0;
            settings.lasso = kind == 2 ? 1 : 0;
            settings.firth = kind == 3;
            settings.link = kind == 4 ? Link::probit : Link::logit;
            const LogisticFit best = problem.fit(settings).value();
            for (double size : {1.0, 30.0, 1e3, 1e9, 1e200}) {
                SCOPED_TRACE(std::to_string(k) + " classes, kind " + std::to_string(kind) + ", " +
                             std::to_string(size));
                LogisticParameter start{std::vector<double>(3 * k), std::vector<double>(k)};
                for (double& w : start.coefficient) w = size * sample_normal(rng);
                for (double& w : start.intercept) w = size * sample_normal(rng);
                MemoryStream stream(problem.block(), problem.schema);
                const Features features = Features::of(problem.schema).value();
                const LogisticFit fit = fit_logistic(problem.schema, features, stream, settings, {}, start).value();
                EXPECT_TRUE(fit.converged);
                EXPECT_NEAR(fit.objective, best.objective, 1e-6 * best.objective);
            }
            // Nearly every row is certain, and one of them wrongly: the curvature is that of none.
            LogisticParameter sure = best.parameter;
            for (double& w : sure.coefficient) w *= 300;
            MemoryStream stream(problem.block(), problem.schema);
            const LogisticFit fit =
                fit_logistic(problem.schema, Features::of(problem.schema).value(), stream, settings, {}, sure).value();
            EXPECT_NEAR(fit.objective, best.objective, 1e-6 * best.objective);
        }
}

TEST(Logistic, TheLimitOfStepsIsToldAndTheAnswerUsable) {
    const Problem problem(900, 4, 3, 11);
    LogisticSettings settings;
    settings.step_limit = 1;
    settings.tolerance = 1e-15;
    const LogisticFit fit = problem.fit(settings).value();
    EXPECT_FALSE(fit.converged);
    ASSERT_EQ(fit.notes.size(), 1u);
    EXPECT_EQ(fit.notes[0].sentence, "the search stopped at its limit of 1 steps before it settled");
    EXPECT_LT(fit.objective, -fit.null_log_likelihood);
}

TEST(Logistic, BadInputIsOneSentenceThatSaysWhere) {
    Problem problem(50, 2, 2);
    problem.values[2 * 6 + 1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(problem.fit({}).error().sentence(),
              "row 7, column x1: logistic regression needs every value, and this one is missing");
    problem.values[2 * 6 + 1] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(problem.fit({}).error().sentence(), "row 7, column x1: infinity is not a value");
    problem.values[2 * 6 + 1] = 0;
    problem.weights[3] = -1;
    EXPECT_EQ(problem.fit({}).error().sentence(), "row 4: a weight must be zero or a positive number");
    problem.weights[3] = 1;
    LogisticSettings settings;
    settings.penalty = -1;
    EXPECT_FALSE(problem.fit(settings));
    EXPECT_EQ(problem.fit(settings).error().sentence(), "the penalty must be zero or a positive number");
    problem.schema.classes = {"only"};
    EXPECT_EQ(problem.fit({}).error().sentence(), "logistic regression needs at least two classes in the data");
}

}  // namespace
}  // namespace suffice
