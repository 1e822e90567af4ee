// Statistics of families as values at run time keep the laws that the typed ones keep, over the list of all families.
#include "laws/findings.hpp"

#include "suffice/family/handle.hpp"
#include "suffice/family/observe.hpp"
#include "suffice/persist/bytes.hpp"

namespace suffice::laws {
namespace {

template <class F>
class FamilyStatisticLaws : public ::testing::Test {};
TYPED_TEST_SUITE(FamilyStatisticLaws, FamilyTypes, FamilyNames);

bool near(const FamilyStatistic& a, const FamilyStatistic& b) {
    const Record x = a.sums(), y = b.sums();
    const auto numbers = [](const Record::Value& value) {
        const double* number = std::get_if<double>(&value);
        return number ? std::vector{*number} : std::get<std::vector<double>>(value);
    };
    bool same = x.entries.size() == y.entries.size();
    for (std::size_t k = 0; same && k < x.entries.size(); ++k) {
        const auto left = numbers(x.entries[k].second), right = numbers(y.entries[k].second);
        same = left.size() == right.size();
        for (std::size_t i = 0; same && i < left.size(); ++i)
            same = std::abs(left[i] - right[i]) <= 1e-9 * (1 + std::abs(right[i]));
    }
    return same;
}

TYPED_TEST(FamilyStatisticLaws, HoldAtRunTime) {
    const auto [typed, parameter] = TypeParam::typical();
    const auto family = make_family(TypeParam::name, to_record(typed)).value();
    Rng rng(11, "laws");
    const std::size_t size = family->value_size(), count = 120, cut = 47;
    const std::vector<double> rows = family->sample(to_record(parameter), count, rng).value();
    const Numbers all = rows, first = all.subspan(0, cut * size), rest = all.subspan(cut * size);
    const FamilyStatistic whole = family->observe(all).value();
    EXPECT_NEAR(whole.weight(), static_cast<double>(count), 1e-9);
    EXPECT_EQ(whole.family(), TypeParam::name);
    EXPECT_EQ(whole.shape(), family->shape());

    FamilyStatistic pieces = family->observe(first).value();
    ASSERT_TRUE(pieces.merge(family->observe(rest).value()));
    EXPECT_TRUE(near(pieces, whole)) << "pieces are the whole";
    FamilyStatistic again = family->observe(first).value();
    ASSERT_TRUE(again.observe(rest));
    EXPECT_EQ(again, pieces) << "observing more is merging what was observed";

    ASSERT_TRUE(pieces.remove(family->observe(first).value()));
    EXPECT_TRUE(near(pieces, family->observe(rest).value())) << "remove undoes merge";
    const FamilyStatistic before = pieces;
    EXPECT_FALSE(pieces.remove(whole)) << "rows that were never in cannot be taken out";
    EXPECT_EQ(pieces, before) << "a refusal changes nothing";

    FamilyStatistic twice = whole, doubled = whole;
    ASSERT_TRUE(twice.merge(whole));
    ASSERT_TRUE(doubled.scale(2));
    EXPECT_TRUE(near(doubled, twice)) << "scaling by two is every row twice";
    EXPECT_TRUE(near(family->observe(all, std::vector<double>(count, 2.0)).value(), twice)) << "weight two is two rows";
    EXPECT_FALSE(doubled.scale(-1));
    EXPECT_FALSE(doubled.scale(std::nan("")));

    const auto bytes = to_bytes(whole);
    const auto returned = from_bytes<FamilyStatistic>(bytes);
    ASSERT_TRUE(returned);
    EXPECT_EQ(*returned, whole) << "bytes give it back to the bit";
    EXPECT_EQ(to_bytes(*returned), bytes);
    for (std::size_t kept = 0; kept < bytes.size(); ++kept)
        EXPECT_FALSE(from_bytes<FamilyStatistic>(std::span(bytes).first(kept))) << kept << " bytes are not all";

    const auto fitted = family->fit(*returned).value();
    EXPECT_EQ(fitted, to_record(typed.most_likely(observe_all(typed, all).value()).value()))
        << "the fit is that of the values";
    double sum = 0;
    for (double each : family->log_density(fitted, all).value()) sum += each;
    EXPECT_NEAR(family->log_likelihood(fitted, whole).value(), sum, 1e-9 * (1 + std::abs(sum)));
    EXPECT_FALSE(family->fit(FamilyStatistic{}));
    EXPECT_FALSE(make_family(family->name() == "poisson" ? "geometric" : "poisson").value()->fit(whole));
}

TEST(FamilyStatistic, LevelsWidenWithTheirCodesAndFollowNames) {
    const auto three = make_family("categorical", {{{"level_count", 3.0}}}).value();
    const auto five = make_family("categorical", {{{"level_count", 5.0}}}).value();
    const double few[] = {0, 2, 2}, many[] = {4, 0};
    FamilyStatistic both = three->observe(few).value();
    ASSERT_TRUE(both.merge(five->observe(many).value()));
    EXPECT_EQ(both.sums().numbers("level_weight"), (std::vector<double>{2, 0, 2, 0, 1}));
    EXPECT_FALSE(three->fit(both)) << "five levels are not three";
    EXPECT_TRUE(five->fit(three->observe(few).value())) << "three levels are the first of five";
    ASSERT_TRUE(both.recode({{4, 3, 2, 1, 0}, 5}));
    EXPECT_EQ(both.sums().numbers("level_weight"), (std::vector<double>{1, 0, 2, 0, 2}));
    FamilyStatistic rate = make_family("poisson").value()->empty_statistic();
    EXPECT_FALSE(rate.recode({{0}, 1}));
    const FamilyStatistic before = rate;
    EXPECT_FALSE(rate.merge(both));
    EXPECT_EQ(rate, before);
}

}  // namespace
}  // namespace suffice::laws
