// Every conjugate family keeps Bayes' theorem.
#include "laws/prior_laws.hpp"

namespace suffice::laws {

template <class F>
class PriorLaws : public ::testing::Test {};
TYPED_TEST_SUITE(PriorLaws, FamilyTypes, FamilyNames);

TYPED_TEST(PriorLaws, HoldForTheFamily) {
    if constexpr (ConjugateFamily<TypeParam>) {
        Findings findings(TypeParam::name);
        check_prior<TypeParam>(findings);
        EXPECT_EQ(findings.text(), "");
    } else {
        GTEST_SKIP() << "has no conjugate prior";
    }
}

}  // namespace suffice::laws
