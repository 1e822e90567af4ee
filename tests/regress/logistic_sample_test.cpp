// The search on a sample of the rows: it must end where Newton's method with the Hessian of all rows ends.
#include "suffice/regress/logistic_sample.hpp"

#include <cmath>

#include "regress/logistic_sample.hpp"
#include <gtest/gtest.h>

#include "suffice/regress/logistic_search.hpp"

namespace suffice {
namespace {

struct Searched {
    std::vector<double> phi;
    double value = 0, largest_gradient = 0;
    bool converged = false;
};

// share 1: Newton's method with the Hessian of all rows.
Searched search(const Problem& rows, const LogisticSettings& settings, double share, unsigned threads = 1) {
    MemoryStream stream(rows.block(), rows.schema);
    Context context;
    context.thread_count = threads;
    LogisticProblem problem(rows.schema, Features::of(rows.schema).value(), stream, settings, context);
    EXPECT_TRUE(problem.look_at_rows());
    const bool exact = share == 1;
    std::unique_ptr<LogisticSample> sample;
    std::vector<double> phi = problem.null_start();
    if (!exact) {
        sample = LogisticSample::of(problem, share).value();
        phi = sample->minimize(std::move(phi)).value();
    }
    LogisticSearch found{problem.evaluate(std::move(phi), exact).value(), {}, 0, false};
    EXPECT_TRUE(minimize_smooth(problem, {true, exact, share}, sample.get(), found));
    return {found.at.phi, found.at.value, problem.largest(found.at.gradient), found.converged};
}

TEST(LogisticSample, TheSearchEndsWhereTheHessianOfAllRowsLeads) {
    for (const std::size_t k : {2, 3, 5})
        for (const double signal : {0.3, 3.0}) {
            const Problem rows(12000, 4, k, 21 + k, signal);
            LogisticSettings settings;
            settings.penalty = 1;
            settings.tolerance = 1e-13;
            const Searched exact = search(rows, settings, 1), sampled = search(rows, settings, 0.05);
            EXPECT_TRUE(sampled.converged);
            EXPECT_NEAR(sampled.value, exact.value, 1e-9 * exact.value) << k << " classes, signal " << signal;
            EXPECT_LT(sampled.largest_gradient, 1e-5 * 12000 * 50);  // columns are as large as 50
            for (std::size_t i = 0; i < exact.phi.size(); ++i) EXPECT_NEAR(sampled.phi[i], exact.phi[i], 1e-5) << i;
        }
}

TEST(LogisticSample, TheAnswerHasTheSameBitsForAnyNumberOfThreads) {
    const Problem rows(12000, 4, 3, 5);
    LogisticSettings settings;
    settings.penalty = 1;
    const Searched one = search(rows, settings, 0.1);
    for (unsigned threads : {2u, 3u}) EXPECT_EQ(search(rows, settings, 0.1, threads).phi, one.phi);
}

TEST(LogisticSample, AClassOfFewRowsIsNotMissed) {
    Problem rows(12000, 3, 3, 8, 0.5);
    for (std::size_t row = 3; row < rows.labels.size(); ++row)  // 40 rows of the last class
        rows.labels[row] = row % 300 == 0 ? 2 : rows.labels[row] % 2;
    LogisticSettings settings;
    settings.tolerance = 1e-13;
    const Searched exact = search(rows, settings, 1), sampled = search(rows, settings, 0.02);
    EXPECT_NEAR(sampled.value, exact.value, 1e-8 * exact.value);
}

TEST(LogisticSample, AnOffsetAndAMissingInterceptStayAsTheyAre) {
    const Problem rows(12000, 3, 2, 6, 0.3);
    LogisticSettings settings;
    settings.offset = "x0";
    settings.intercept = false;
    settings.penalty = 2;
    settings.tolerance = 1e-13;
    const Searched exact = search(rows, settings, 1), sampled = search(rows, settings, 0.05);
    EXPECT_NEAR(sampled.value, exact.value, 1e-9 * exact.value);
    EXPECT_EQ(sampled.phi[0], exact.phi[0]);
    EXPECT_EQ(sampled.phi[3], 0);
}

TEST(LogisticSample, OffsetsOfThreeClassesStayAsTheyAre) {
    const Problem rows(12000, 4, 3, 6, 0.3);
    LogisticSettings settings;
    settings.class_offset = {"x0", "x2", "x1"};
    settings.tolerance = 1e-13;
    const Searched exact = search(rows, settings, 1), sampled = search(rows, settings, 0.05);
    EXPECT_NEAR(sampled.value, exact.value, 1e-9 * exact.value);
    for (std::size_t j : {0, 1, 2, 5, 6, 7}) EXPECT_EQ(sampled.phi[j], exact.phi[j]) << j;
}

}  // namespace
}  // namespace suffice
