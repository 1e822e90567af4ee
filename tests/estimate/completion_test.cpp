// EM over patterns of missing values: where its leaps end, a plain step changes nothing.
#include "suffice/estimate/completion.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "suffice/base/random.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

struct Rows {
    ClassScatterStatistic complete;
    Several<PatternStatistic> incomplete;
};

// Columns that follow from each other but for some noise, and much of them missing: plain EM creeps.
Rows creeping_rows(std::size_t classes, std::size_t d, double missing) {
    Rows rows{ClassScatterStatistic(classes, d, false), Several<PatternStatistic>(classes)};
    Rng draw(7);
    for (std::size_t row = 0; row < 400; ++row) {
        const std::size_t c = row % classes;
        const double common = sample_normal(draw);
        Pattern pattern;
        std::vector<double> values;
        for (std::uint32_t k = 0; k < d; ++k) {
            const double x = static_cast<double>(c) + common + 0.3 * sample_normal(draw);
            if (draw.uniform() < missing) continue;
            pattern.push_back(k);
            values.push_back(x);
        }
        rows.incomplete[c].observe(pattern, values, 1);
    }
    return rows;
}

double largest_difference(const GaussianClasses& a, const GaussianClasses& b) {
    double largest = 0;
    for (std::size_t g = 0; g < a.group_count(); ++g) {
        const auto x = a.covariance(g), y = b.covariance(g);
        for (std::size_t at = 0; at < x.size(); ++at) largest = std::max(largest, std::abs(x[at] - y[at]));
    }
    for (std::size_t c = 0; c < a.class_count(); ++c)
        for (std::size_t k = 0; k < a.dimension; ++k)
            largest = std::max(largest, std::abs(a.mean[c][k] - b.mean[c][k]));
    return largest;
}

TEST(Completion, LeapsEndWhereAPlainStepChangesNothing) {
    for (const Sharing sharing : {Sharing::all, Sharing::own}) {
        const Rows rows = creeping_rows(2, 5, sharing == Sharing::all ? 0.6 : 0.4);
        Settings settings;
        settings.covariance = Covariance::full;
        settings.sharing = sharing;
        const std::vector<std::string> classes{"a", "b"};
        const GaussianNames names{classes, {"p", "q", "r", "s", "t"}};
        int steps = 0;
        const auto expect = [&](const Completion& completion) -> Result<CompletedRows> {
            ++steps;
            auto completed = completion.none();
            completion.add(rows.incomplete, completed);
            return completed;
        };
        const auto start = available_cases(columns_present(rows.complete, rows.incomplete));
        const auto found = estimate_completed(rows.complete, start, expect, settings, names, most_completions, true);
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_TRUE(found->settled);
        const int leaping = steps;
        EXPECT_LT(leaping, 100);  // steps come nearer by a twentieth at a time, so that 400 plain ones would be needed

        const GaussianClasses& end = found->gaussians.parameters;
        const auto again = estimate_completed(rows.complete, end, expect, settings, names, 1);
        ASSERT_TRUE(again);
        EXPECT_LT(largest_difference(end, again->gaussians.parameters), 1e-8);

        // Plain steps, more of them, come to the same.
        const auto plainly = estimate_completed(rows.complete, start, expect, settings, names);
        ASSERT_TRUE(plainly);
        EXPECT_TRUE(plainly->settled);
        EXPECT_LT(largest_difference(end, plainly->gaussians.parameters), 1e-8);
        EXPECT_GT(steps - leaping, 2 * leaping);

        // No step comes down, so the likelihood at the end is at least that of many plain steps.
        GaussianClasses plain = start;
        double likelihood = 0;
        for (int step = 0; step < 100; ++step) {
            const auto one = estimate_completed(rows.complete, plain, expect, settings, names, 0);
            ASSERT_TRUE(one);
            plain = one->gaussians.parameters;
            likelihood = one->gaussians.log_likelihood;
        }
        EXPECT_GE(found->gaussians.log_likelihood, likelihood - 1e-9 * std::abs(likelihood));
    }
}

}  // namespace
}  // namespace suffice
