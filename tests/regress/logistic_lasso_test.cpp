// Softmax regression with penalties that have corners: the conditions of Karush, Kuhn and Tucker at the answer.
#include <cmath>

#include "regress/logistic_sample.hpp"
#include <gtest/gtest.h>

#include "suffice/math/proximal_gradient.hpp"
#include "suffice/regress/logistic.hpp"
#include "suffice/regress/logistic_strengths.hpp"

namespace suffice {
namespace {

// The most by which a condition of a minimum is missed. Two classes have one coefficient w = w_1 - w_0.
double violation(const Problem& problem, const LogisticParameter& at, double penalty, double lasso) {
    const std::size_t k = problem.schema.classes.size(), d = problem.width();
    std::vector<double> gradient;
    problem.objective(at, penalty, &gradient);
    double most = 0;
    for (std::size_t c = k == 2 ? 1 : 0; c < k; ++c)
        for (std::size_t j = 0; j <= d; ++j) {
            double g = gradient[c * (d + 1) + j];
            double w = j == d ? 0 : at.coefficient[c * d + j];
            if (k == 2) g = (g - gradient[j]) / 2, w = 2 * w;
            const double by = j == d ? 0 : lasso;
            most = std::max(most, std::abs(w == 0 ? soften(g, by) : g + std::copysign(by, w)));
        }
    return most;
}

std::size_t zeros(const LogisticParameter& at) {
    std::size_t count = 0;
    for (double w : at.coefficient) count += w == 0;
    return count;
}

TEST(LogisticLasso, MeetsTheConditionsOfAMinimumOnRandomProblems) {
    for (std::size_t k : {2, 3, 5})
        for (double lasso : {0.5, 20.0, 200.0})
            for (double penalty : {0.0, 3.0}) {
                SCOPED_TRACE(std::to_string(k) + " classes, lasso " + std::to_string(lasso));
                const Problem problem(600, 6, k, k, 0.4);
                LogisticSettings settings;
                settings.lasso = lasso;
                settings.penalty = penalty;
                const LogisticFit fit = problem.fit(settings).value();
                EXPECT_TRUE(fit.converged);
                EXPECT_LT(violation(problem, fit.parameter, penalty, lasso), 1e-3);
            }
}

TEST(LogisticLasso, AStrongOneLeavesTheInterceptsAlone) {
    const Problem problem(400, 5, 3);
    LogisticSettings settings;
    settings.lasso = 1e6;
    const LogisticFit fit = problem.fit(settings).value();
    EXPECT_EQ(zeros(fit.parameter), 15u);
    EXPECT_NEAR(fit.log_likelihood, fit.null_log_likelihood, 1e-8);
}

TEST(LogisticLasso, ThePathStartsWhereTheLastCoefficientBecomesZero) {
    for (std::size_t k : {2, 3}) {
        const Problem problem(300, 4, k, 8);
        MemoryStream stream(problem.block(), problem.schema);
        const Features features = Features::of(problem.schema).value();
        const auto path = penalty_strengths(problem.schema, features, stream, {}, true, 3, {}).value();
        ASSERT_EQ(path.size(), 3u);
        EXPECT_NEAR(path[2] / path[0], 1e-4, 1e-12);
        LogisticSettings settings;
        settings.lasso = 1.001 * path[0];
        EXPECT_EQ(zeros(problem.fit(settings).value().parameter), 4 * k);
        settings.lasso = 0.99 * path[0];
        EXPECT_LT(zeros(problem.fit(settings).value().parameter), 4 * k);
    }
}

TEST(LogisticLasso, AWeakOneIsNearTheMaximumOfTheLikelihood) {
    const Problem problem(800, 4, 2);
    LogisticSettings settings;
    settings.lasso = 1e-7;
    const LogisticFit free = problem.fit({}).value(), fit = problem.fit(settings).value();
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT_NEAR(fit.parameter.coefficient[i], free.parameter.coefficient[i], 1e-6) << i;
}

// More parameters than a Hessian is formed of, so that proximal gradients are taken.
TEST(LogisticLasso, ManyParametersMeetTheConditionsAsWell) {
    Problem problem(400, 60, 40, 7, 0.3);
    for (std::size_t row = 0; row < 400; ++row)
        for (std::size_t j = 0; j < 60; ++j) problem.values[row * 60 + j] /= 1 + static_cast<double>(j);
    LogisticSettings settings;
    settings.lasso = 4;
    settings.gradient_tolerance = 1e-6;
    settings.tolerance = 0;
    settings.step_limit = 20000;
    const LogisticFit fit = problem.fit(settings).value();
    EXPECT_TRUE(fit.converged);
    EXPECT_GT(zeros(fit.parameter), 100u);
    EXPECT_LT(violation(problem, fit.parameter, 0, 4), 0.1);
}

}  // namespace
}  // namespace suffice
