// Arrow files that change while they are read.
#include <fstream>
#include <iterator>
#include <unistd.h>

#include "read/table_text.hpp"
#include <gtest/gtest.h>

#include "suffice/read/arrow_start.hpp"

namespace suffice {
namespace {

using testing::TemporaryFile;

std::string golden(const std::string& name) {
    std::ifstream file(SUFFICE_SOURCE_DIR "/tests/goldens/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Arrow, AFileThatIsCutWhileItIsReadIsASentence) {
    for (const char* name : {"penguins.arrow", "penguins.parquet"}) {
        for (const double part : {0.0, 0.1, 0.5}) {
            const std::string content = golden(name);
            const TemporaryFile file(content);
            auto reader = open_table({file.name()}, {});
            if (!reader && reader.error().message.find("libsuffice_arrow.so") != std::string::npos)
                GTEST_SKIP() << "built without Arrow";
            ASSERT_TRUE(reader) << reader.error().sentence();
            ASSERT_EQ(::truncate(file.name().c_str(), static_cast<off_t>(part * static_cast<double>(content.size()))),
                      0);
            const auto rows = testing::rows_of(**reader);
            ASSERT_FALSE(rows) << name << " cut to " << part;
            EXPECT_EQ(rows.error().kind, ErrorKind::input);
            EXPECT_EQ(rows.error().file, file.name());
            EXPECT_TRUE(rows.error().message.starts_with("the file cannot be read: ")) << rows.error().message;
        }
    }
}

TEST(Arrow, AStreamIsToldFromTextByItsFirstBytes) {
    using namespace std::string_view_literals;
    EXPECT_EQ(arrow_start("ARROW1\0\0"sv), ArrowStart::file);
    EXPECT_EQ(arrow_start("\xff\xff\xff\xff\x70\x01\0\0"sv), ArrowStart::stream);
    EXPECT_EQ(arrow_start("\x6c\x01\0\0\x10\0\0\0"sv), ArrowStart::stream);  // as written before version 0.15
    for (const std::string_view text : {""sv, "a,b\n1,2\n"sv,
                                        "\xff\xfe"
                                        "a\0b\0c\0"sv,
                                        "a\0b\0c\0d\0"sv,
                                        "\xff\xff\xff\xff"
                                        "a,b\n"sv,
                                        "\xff\xff\xff\xff\0\0\0\0"sv, "\0\0\0\0\0\0\0\0"sv, "\xff\xfe\0\0x\0\0\0"sv})
        EXPECT_EQ(arrow_start(text), ArrowStart::none);
}

}  // namespace
}  // namespace suffice
