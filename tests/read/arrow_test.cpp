// Arrow files that change while they are read, and the library that reads them.
#include <filesystem>
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

// The first library that is loaded here and whose path holds these letters.
std::string loaded(const std::string& letters) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (line.find(letters) != std::string::npos) return line.substr(line.find('/'));
    return "";
}

TEST(Arrow, TheLibraryIsTheOneThatTheEmbedderNames) {
    const TemporaryFile file(golden("penguins.parquet"));
    auto reader = open_table({file.name()}, {});
    if (!reader) GTEST_SKIP() << "built without Arrow";
    const auto rows = testing::rows_of(**reader);
    ASSERT_TRUE(rows);
    const TemporaryFile carried("");
    std::filesystem::copy_file(loaded("libsuffice_arrow.so"), carried.name(),
                               std::filesystem::copy_options::overwrite_existing);
    EXPECT_EQ(loaded(carried.name()), "");
    auto through_it = open_table({file.name()}, {.arrow_library = carried.name()});
    ASSERT_TRUE(through_it) << through_it.error().sentence();
    EXPECT_NE(loaded(carried.name()), "");
    EXPECT_EQ(*testing::rows_of(**through_it), *rows);
}

TEST(Arrow, ALibraryThatIsNotOursOrNotThereIsRefused) {
    const TemporaryFile file(golden("penguins.parquet"));
    const auto absent = open_table({file.name()}, {.arrow_library = "no/such/library.so"});
    ASSERT_FALSE(absent);
    EXPECT_TRUE(absent.error().message.find("no/such/library.so, which cannot be opened") != std::string::npos)
        << absent.error().message;
    const std::string other = loaded("libc.so");
    ASSERT_NE(other, "");
    const auto foreign = open_table({file.name()}, {.arrow_library = other});
    ASSERT_FALSE(foreign);
    EXPECT_TRUE(foreign.error().message.find(other + " is of another version (none)") != std::string::npos)
        << foreign.error().message;
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
