// The logarithms of words taken one by one are those of the whole table, whatever the size of a count.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "suffice/estimate/counts.hpp"

namespace suffice {
namespace {

TEST(SparseMultinomial, GivesTheWeightsAndTheLikelihoodOfTheTable) {
    const std::vector<double> counts = {0, 1, 2, 1023, 1024, 5000, 0, 3e5};  // four words of two classes
    constexpr double smoothing = 0.5;
    std::vector<double> table = counts;
    const double likelihood = multinomial_weights({table.data(), 4, 2, 2, {}}, smoothing);

    SparseMultinomial logs(std::vector<double>{0 + 2 + 1024 + 0, 1 + 1023 + 5000 + 3e5}, 4, smoothing);
    for (std::size_t at = 0; at < counts.size(); ++at) {
        const std::size_t c = at % 2;
        const double weight = counts[at] > 0 ? logs.take(c, counts[at]) : logs.never()[c];
        EXPECT_NEAR(weight, table[at], 1e-12 * std::abs(table[at])) << "word " << at / 2 << " of class " << c;
    }
    EXPECT_NEAR(logs.log_likelihood(), likelihood, 1e-12 * std::abs(likelihood));
}

TEST(SparseMultinomial, TakesCountsThatNoWholeNumberOfTheMachineHolds) {
    SparseMultinomial logs(std::vector<double>{1e260}, 1, 1.0);
    EXPECT_NEAR(logs.take(0, 1e260), 0, 1e-12);
    EXPECT_TRUE(std::isfinite(logs.never()[0]));
}

}  // namespace
}  // namespace suffice
