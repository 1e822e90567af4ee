// Every family's density is one, and its draws and unbiased estimates agree with it.
#include "laws/density_laws.hpp"

namespace suffice::laws {

template <class F>
class DensityLaws : public ::testing::Test {};
TYPED_TEST_SUITE(DensityLaws, FamilyTypes, FamilyNames);

TYPED_TEST(DensityLaws, HoldForTheFamily) {
    Findings findings(TypeParam::name);
    check_density<TypeParam>(findings);
    if constexpr (UnbiasedFamily<TypeParam>) check_unbiased<TypeParam>(findings);
    EXPECT_EQ(findings.text(), "");
}

}  // namespace suffice::laws
