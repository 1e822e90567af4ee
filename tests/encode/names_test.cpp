// Names are sorted, united and found again.
#include "suffice/encode/names.hpp"

#include <gtest/gtest.h>

namespace suffice {
namespace {

using Names = std::vector<std::string>;

TEST(Names, NumbersAreSortedByValueAndWordsByBytes) {
    Names numbers{"10", "9", "-1", "2.5"}, words{"b", "A", "10", "a"};
    sort_names(numbers);
    sort_names(words);
    EXPECT_EQ(numbers, (Names{"-1", "2.5", "9", "10"}));
    EXPECT_EQ(words, (Names{"10", "A", "a", "b"}));
}

TEST(Names, TwoSourcesAreUnitedByName) {
    Schema left, right;
    left.columns = {{"color", ColumnKind::category, {"red", "blue"}}};
    right.columns = {{"color", ColumnKind::category, {"green", "red"}}};
    left.classes = {"no", "yes"};
    right.classes = {"yes", "maybe"};
    const auto both = unite(left, right).value();
    EXPECT_EQ(both.schema.classes, (Names{"maybe", "no", "yes"}));
    EXPECT_EQ(both.schema.columns[0].levels, (Names{"blue", "green", "red"}));
    EXPECT_EQ(both.left.classes.to, (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(both.right.levels[0].to, (std::vector<std::uint32_t>{1, 2}));
}

TEST(Names, ColumnsThatDisagreeAreNamed) {
    Schema left, right;
    left.columns = {{"age"}};
    right.columns = {{"size"}};
    EXPECT_EQ(unite(left, right).error().message, "the column age of one side stands where the other has size");
    right.columns = {{"age", ColumnKind::category}};
    EXPECT_EQ(unite(left, right).error().column, "age");
}

TEST(Names, TheNearestIsSuggestedOnlyWhenItIsNear) {
    EXPECT_EQ(nearest_name("specie", {"species", "island"}), "species");
    EXPECT_EQ(nearest_name("zzz", {"species", "island"}), "");
}

}  // namespace
}  // namespace suffice
