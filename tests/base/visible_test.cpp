// What strangers put into names, against Unicode's own lists: control characters, Bidi_Control, the ends of UTF-8.
#include "suffice/base/visible.hpp"

#include <gtest/gtest.h>

#include "suffice/base/result.hpp"

namespace suffice {
namespace {

TEST(Visible, LeavesLettersOfAllScriptsAlone) {
    const std::string names = "größe, 体重, سن\xE2\x80\x8Cها, 👩\xE2\x80\x8D🔬, a\\b \"c\"";  // with joiners
    EXPECT_EQ(visible(names), names);
    EXPECT_EQ(visible_lines(names), names);
}

TEST(Visible, SpellsOutEscapeCodesAndEndsOfLines) {
    EXPECT_EQ(visible("a\x1b[31mred\x07\x7f"), "a\\x1b[31mred\\x07\\x7f");
    EXPECT_EQ(visible("a\nnote: b\r\t"), "a\\nnote: b\\r\\t");
    EXPECT_EQ(visible_lines("a\n\tb\r"), "a\n\tb\\r");
    EXPECT_EQ(visible("\xC2\x9B"
                      "31m"),
              "\\x9b31m");  // C1's CSI
    EXPECT_EQ(visible(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Visible, SpellsOutEveryMarkOfDirection) {
    for (const std::uint32_t code : {0x061Cu, 0x200Eu, 0x200Fu, 0x202Au, 0x202Bu, 0x202Cu, 0x202Du, 0x202Eu, 0x2066u,
                                     0x2067u, 0x2068u, 0x2069u})  // Bidi_Control of PropList.txt
        EXPECT_TRUE(is_unseen(code)) << std::hex << code;
    EXPECT_EQ(visible("gpj.\xE2\x80\xAEtxe"), "gpj.\\u202etxe");
    EXPECT_EQ(visible("\xF3\xA0\x81\x81"), "\\U000e0041");  // a tag
}

TEST(Visible, SpellsOutBytesThatAreNoUtf8) {
    EXPECT_EQ(visible("gr\xFC\xDF"), "gr\\xfc\\xdf");
    EXPECT_EQ(visible("\xC0\xAF \xED\xA0\x80 \xF5"), "\\xc0\\xaf \\xed\\xa0\\x80 \\xf5");  // overlong, a surrogate
    EXPECT_EQ(visible("\xE2\x80"), "\\xe2\\x80");
}

TEST(Visible, IsDoneTwiceAsOnce) {
    const std::string once = visible("\x1b]0;title\x07 \xE2\x80\xAE");
    EXPECT_EQ(visible(once), once);
}

TEST(Visible, EscapesJsonWithoutLoss) {
    EXPECT_EQ(json_letters("a\"\\\n\x1b\xE2\x80\xAE\xF3\xA0\x81\x81ü"),
              "a\\\"\\\\\\u000a\\u001b\\u202e\\udb40\\udc41ü");
    EXPECT_EQ(json_letters("\xFF"), "\\ufffd");
}

TEST(Visible, IsHowErrorsAndNotesTellNames) {
    const std::string sentence = Error("no class \x1b[2J").in_file("a\nb.csv").in_column("\xE2\x80\xAEx").sentence();
    EXPECT_EQ(sentence, "a\\nb.csv, column \\u202ex: no class \\x1b[2J");
    EXPECT_EQ(Note("column \x1b[1m").told(), "column \\x1b[1m");
}

}  // namespace
}  // namespace suffice
