// Every family keeps the laws of a Statistic.
#include "laws/statistic_laws.hpp"

#include <type_traits>

namespace suffice::laws {

template <class F>
class StatisticLaws : public ::testing::Test {};
TYPED_TEST_SUITE(StatisticLaws, FamilyTypes, FamilyNames);

TYPED_TEST(StatisticLaws, HoldForTheFamily) {
    Findings findings(TypeParam::name);
    check_statistic<TypeParam>(findings);
    EXPECT_EQ(findings.text(), "");
}

// The textbook difference of squares keeps no digit here.
TEST(LargeMeans, KeepSixDigitsOfTheVariance) {
    const Gaussian family;
    auto statistic = family.empty();
    constexpr int count = 1000000;
    for (int i = 0; i < count; ++i) family.observe(statistic, 1e9 + (i % 1000), 1.0);
    const double variance = (1000.0 * 1000.0 - 1) / 12;
    EXPECT_NEAR(family.most_likely(statistic).value().variance, variance, 1e-6 * variance);
}

}  // namespace suffice::laws
