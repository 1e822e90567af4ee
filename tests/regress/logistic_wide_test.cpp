// Softmax regression on thousands of columns, sparse and dense: optimality by the definition of the objective.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "suffice/data/stream.hpp"
#include "suffice/math/proximal_gradient.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/regress/logistic.hpp"
#include "suffice/regress/logistic_strengths.hpp"
#include "suffice/regress/logistic_wide_pass.hpp"

namespace suffice {
namespace {

constexpr std::size_t rows = 150, d = 2100;

struct SparseRows {
    std::vector<std::int64_t> row_start{0};
    std::vector<std::uint32_t> column;
    std::vector<double> value, dense = std::vector<double>(rows * d);
    std::vector<std::int32_t> label;
    Schema schema;

    explicit SparseRows(std::size_t k) {
        Rng rng(11, "wide");
        for (std::size_t j = 0; j < d; ++j) schema.columns.push_back({"x" + std::to_string(j)});
        for (std::size_t c = 0; c < k; ++c) schema.classes.push_back("c" + std::to_string(c));
        for (std::size_t row = 0; row < rows; ++row) {
            label.push_back(static_cast<std::int32_t>(row % k));
            for (std::uint32_t j = 0; j < d; ++j) {
                const bool telling = j % 50 == row % k;  // columns that belong to a class
                if (rng.uniform() > (telling ? 0.3 : 0.02)) continue;
                column.push_back(j);
                value.push_back(0.2 + rng.uniform());
                dense[row * d + j] = value.back();
            }
            row_start.push_back(static_cast<std::int64_t>(column.size()));
        }
    }
    LabeledBlock sparse() const { return {SparseBlock{row_start, column, value, d}, label, {}, 0}; }
    LabeledBlock as_dense() const { return {DenseBlock{dense.data(), Element::f64, rows, d, d, 1}, label, {}, 0}; }
    LogisticFit fit(const LabeledBlock& block, const LogisticSettings& settings, unsigned threads = 1) const {
        MemoryStream stream(block, schema);
        Context context;
        context.thread_count = threads;
        return fit_logistic(schema, Features::of(schema).value(), stream, settings, context).value();
    }
    // Gradient of the loss by class, coefficients only.
    std::vector<double> gradient(const LogisticParameter& at) const {
        const std::size_t k = schema.classes.size();
        std::vector<double> sum(k * d);
        for (std::size_t row = 0; row < rows; ++row) {
            std::vector<double> p(at.intercept);
            double total = 0;
            for (std::size_t c = 0; c < k; ++c) {
                for (std::size_t j = 0; j < d; ++j) p[c] += at.coefficient[c * d + j] * dense[row * d + j];
                total += std::exp(p[c]);
            }
            for (std::size_t c = 0; c < k; ++c)
                for (std::size_t j = 0; j < d; ++j)
                    sum[c * d + j] += dense[row * d + j] *
                                      (std::exp(p[c]) / total - (static_cast<std::int32_t>(c) == label[row] ? 1 : 0));
        }
        return sum;
    }
};

TEST(LogisticWide, TheGradientIsZeroAtTheAnswerSparseAndDense) {
    for (std::size_t k : {2, 3, 9}) {
        SCOPED_TRACE(k);
        const SparseRows problem(k);
        LogisticSettings settings;
        settings.penalty = 0.7;
        settings.gradient_tolerance = 1e-9;
        settings.tolerance = 1e-18;
        const LogisticFit fit = problem.fit(problem.sparse(), settings);
        EXPECT_TRUE(fit.converged);
        const std::vector<double> gradient = problem.gradient(fit.parameter);
        const double each = k == 2 ? 2 * settings.penalty : settings.penalty;  // on w_c, where w = w_1 - w_0 = 2 w_1
        for (std::size_t i = 0; i < k * d; ++i)
            ASSERT_NEAR(gradient[i] + each * fit.parameter.coefficient[i], 0, 1e-6) << i;
        const LogisticFit dense = problem.fit(problem.as_dense(), settings);
        // Another way to the same minimum: each may be as far off as its gradient over the least curvature.
        const double apart = 2 * settings.gradient_tolerance * rows / settings.penalty;
        for (std::size_t i = 0; i < k * d; ++i)
            ASSERT_NEAR(dense.parameter.coefficient[i], fit.parameter.coefficient[i], apart) << i;
        EXPECT_EQ(problem.fit(problem.sparse(), settings, 3).parameter, fit.parameter);
    }
}

TEST(LogisticWide, ALassoMeetsTheConditionsOfAMinimum) {
    const SparseRows problem(3);
    LogisticSettings settings;
    settings.lasso = 2;
    settings.gradient_tolerance = 1e-7;
    settings.tolerance = 0;
    settings.step_limit = 10000;
    const LogisticFit fit = problem.fit(problem.sparse(), settings);
    EXPECT_TRUE(fit.converged);
    const std::vector<double> gradient = problem.gradient(fit.parameter);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < 3 * d; ++i) {
        const double w = fit.parameter.coefficient[i];
        kept += w != 0;
        ASSERT_NEAR(w == 0 ? soften(gradient[i], 2) : gradient[i] + std::copysign(2, w), 0, 1e-4) << i;
    }
    EXPECT_GT(kept, 5u);
    EXPECT_LT(kept, d);
}

TEST(LogisticWide, ThePathStartsWhereTheLastCoefficientBecomesZero) {
    const SparseRows problem(3);
    MemoryStream stream(problem.sparse(), problem.schema);
    const Features features = Features::of(problem.schema).value();
    LogisticSettings settings;
    settings.lasso = penalty_strengths(problem.schema, features, stream, settings, true, 1, {}).value().front() * 1.001;
    const auto none = [](double w) { return w == 0; };
    EXPECT_TRUE(std::ranges::all_of(problem.fit(problem.sparse(), settings).parameter.coefficient, none));
    settings.lasso *= 0.98;
    EXPECT_FALSE(std::ranges::all_of(problem.fit(problem.sparse(), settings).parameter.coefficient, none));
}

TEST(LogisticWide, OffsetsAreGivenAndAllElseIsAtItsMinimum) {
    for (const auto& [k, lasso] : {std::pair<std::size_t, double>{2, 2.0}, {3, 0.0}}) {
        SCOPED_TRACE(std::to_string(k) + " classes, lasso " + std::to_string(lasso));
        const SparseRows problem(k);
        LogisticSettings settings;
        settings.penalty = lasso > 0 ? 0 : 0.7;
        settings.lasso = lasso;
        settings.gradient_tolerance = 1e-8;
        settings.tolerance = lasso > 0 ? 0 : 1e-18;
        settings.step_limit = 10000;
        const std::vector<std::size_t> given =
            k == 2 ? std::vector<std::size_t>{0} : std::vector<std::size_t>{50, 0, 2};
        if (k == 2)
            settings.offset = "x0";
        else
            settings.class_offset = {"x50", "x0", "x2"};
        const LogisticFit fit = problem.fit(problem.sparse(), settings);
        EXPECT_TRUE(fit.converged);
        const std::vector<double>& w = fit.parameter.coefficient;
        const std::vector<double> gradient = problem.gradient(fit.parameter);
        const double each = k == 2 ? 2 * settings.penalty : settings.penalty;
        for (std::size_t i = 0; i < k * d; ++i) {
            const auto found = std::ranges::find(given, i % d);
            if (found != given.end()) {
                const auto of = static_cast<std::size_t>(found - given.begin());
                ASSERT_NEAR(k == 2 ? 2 * w[i] : w[i], k == 2 ? (i < d ? -1 : 1) : i / d == of ? 1 : 0, 1e-15) << i;
            } else if (lasso > 0) {
                ASSERT_NEAR(w[i] == 0 ? soften(gradient[i], lasso) : gradient[i] + std::copysign(lasso, w[i]), 0, 1e-4)
                    << i;
            } else {
                ASSERT_NEAR(gradient[i] + each * w[i], 0, 1e-5) << i;
            }
        }
        Features alone;  // and an intercept: what null deviances are of
        for (std::size_t j : given) alone.columns.emplace_back().column = static_cast<std::uint32_t>(j);
        MemoryStream stream(problem.as_dense(), problem.schema);
        LogisticSettings free = settings;
        free.penalty = free.lasso = 0;
        const LogisticFit null = fit_logistic(problem.schema, alone, stream, free, {}).value();
        EXPECT_NEAR(fit.null_log_likelihood, null.log_likelihood, 1e-9);
        EXPECT_NEAR(null.null_log_likelihood, null.log_likelihood, 1e-12);
    }
}

TEST(LogisticWide, ProductsWithTheHessianAreDifferencesOfTheGradient) {
    for (std::size_t k : {2, 4}) {
        const SparseRows problem(k);
        LogisticRows names;
        names.features = Features::of(problem.schema).value();
        names.classes = problem.schema.classes;
        names.centre.assign(d, 0.0);
        const WideShape shape{k, d};
        Rng rng(2, "theta");
        std::vector<double> theta(shape.size()), way(shape.size());
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (i % shape.width() < shape.score_count()) theta[i] = sample_normal(rng) / 5, way[i] = sample_normal(rng);
        const auto sums = [&](const std::vector<double>& at, const double* direction) {
            MemoryStream stream(problem.sparse(), problem.schema);
            return fold(WidePass{&names, shape, at.data(), direction}, stream, {}).value();
        };
        const double h = 1e-5;
        std::vector<double> after = theta, before = theta;
        for (std::size_t i = 0; i < theta.size(); ++i) after[i] += h * way[i], before[i] -= h * way[i];
        const WideSums high = sums(after, nullptr), low = sums(before, nullptr), at = sums(theta, nullptr);
        double slope = 0;
        for (std::size_t i = 0; i < theta.size(); ++i) slope += at.gradient[i] * way[i];
        EXPECT_NEAR((high.loss - low.loss) / (2 * h), slope, 1e-5 * std::abs(slope));
        const WideSums product = sums(theta, way.data());
        for (std::size_t i = 0; i < theta.size(); ++i)
            ASSERT_NEAR((high.gradient[i] - low.gradient[i]) / (2 * h), product.gradient[i], 1e-5) << i;
    }
}

TEST(LogisticWide, MoreColumnsThanRowsWithoutAPenaltyAreSeparated) {
    const SparseRows problem(2);
    LogisticSettings settings;
    settings.step_limit = 30;
    const LogisticFit fit = problem.fit(problem.sparse(), settings);
    EXPECT_TRUE(fit.separated);
    ASSERT_FALSE(fit.notes.empty());
    EXPECT_NE(fit.notes[0].sentence.find("separated"), std::string::npos);
}

}  // namespace
}  // namespace suffice
