// What would help is data; each surface spells it.
#include <gtest/gtest.h>

#include "suffice/base/result.hpp"

namespace suffice {
namespace {

std::string spell_loudly(const GivenSetting& given) { return "<" + given.setting + "|" + given.value + ">"; }

TEST(Remedy, StandsBehindTheMessageAsTheSurfaceSpellsIt) {
    const Error error = Error("the column holds words")
                            .advise({"exclude", "age", "leave it out with"})
                            .advise({"missing", "", "name it with", "if it means nothing"})
                            .in_file("a.csv")
                            .at_row(7);
    EXPECT_EQ(error.message, "the column holds words");
    EXPECT_EQ(
        error.sentence(),
        "a.csv, row 7: the column holds words; leave it out with exclude = age, or name it with missing if it means "
        "nothing");
    EXPECT_EQ(error.sentence(spell_loudly),
              "a.csv, row 7: the column holds words; leave it out with <exclude|age>, or name it with <missing|> if it "
              "means nothing");
    EXPECT_EQ(Exception(error).what(), error.sentence());
}

TEST(Remedy, ANoteWithoutOneIsItsSentence) {
    const Note plain("3 rows were skipped"), helped("3 pieces were replaced", {{"encoding", "latin-1"}});
    EXPECT_EQ(plain.told(spell_loudly), "3 rows were skipped");
    EXPECT_EQ(told({plain, helped}),
              (std::vector<std::string>{"3 rows were skipped", "3 pieces were replaced; use encoding = latin-1"}));
}

TEST(Remedy, SettingsOfACandidateAreSpelledInARow) {
    EXPECT_EQ(spelled({}), "");
    EXPECT_EQ(spelled({{"penalty", "1"}, {"link", "probit"}}, spell_loudly), "<penalty|1> <link|probit>");
}

}  // namespace
}  // namespace suffice
