// Model files across versions: older ones are read, newer ones are refused by name.
#include "suffice/persist/tensor_file.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "suffice/part/all.hpp"

namespace suffice {
namespace {

struct Old {
    double weight = 0;
    std::vector<std::string> words;
    static constexpr auto fields = FieldTuple{field("weight", &Old::weight), field("words", &Old::words)};
};

struct New {
    double weight = 0;
    double decay = 0.5;
    std::vector<std::string> words;
    std::vector<Old> parts = {};
    static constexpr auto fields = FieldTuple{field("weight", &New::weight), field("decay", &New::decay),
                                              field("words", &New::words), field("parts", &New::parts)};
};

TEST(TensorFile, AFieldThatAnOlderFileLacksStaysAsItStartsOut) {
    const auto read = from_tensor_file<New>(to_tensor_file(Old{3, {"a", "b"}}));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->weight, 3);
    EXPECT_EQ(read->decay, 0.5);
    EXPECT_EQ(read->words, (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(read->parts.empty());
}

TEST(TensorFile, AFieldThatIsNotKnownIsRefusedAsNewer) {
    const auto read = from_tensor_file<Old>(to_tensor_file(New{3, 1, {"a"}}));
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("newer"), std::string::npos) << read.error().message;
}

TEST(TensorFile, NestedRecordsComeBackWhole) {
    const auto read = from_tensor_file<New>(to_tensor_file(New{1, 2, {"x"}, {{4, {"y", "z"}}, {5, {}}}}));
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->parts.size(), 2u);
    EXPECT_EQ(read->parts[0].words, (std::vector<std::string>{"y", "z"}));
    EXPECT_EQ(read->parts[1].weight, 5);
}

// The file with one piece of its header in other words; the checksum does not cover these.
std::string with_header(std::string file, std::string_view from, std::string_view to) {
    const std::size_t at = file.find(from);
    EXPECT_NE(at, std::string::npos) << file;
    file.replace(at, from.size(), to);
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), sizeof length);
    length += to.size() - from.size();
    std::memcpy(file.data(), &length, sizeof length);
    return file;
}

TEST(TensorFile, AShapeIsAWholeNumber) {
    const std::string file = to_tensor_file(Old{3, {"a", "b"}});
    EXPECT_TRUE(from_tensor_file<Old>(with_header(file, "\"shape\":[2]", "\"shape\": [2]")));
    for (const char* shape : {"[2e200]", "[2.0]", "[-2]", "[null]", "[\"2\"]", "{\"2\":2}", "2", "[2,1]", "[]"}) {
        const auto read = from_tensor_file<Old>(with_header(file, "\"shape\":[2]", "\"shape\":" + std::string(shape)));
        ASSERT_FALSE(read) << shape;
        EXPECT_NE(read.error().message.find("not a whole model file"), std::string::npos) << read.error().message;
    }
}

std::string part_file(std::string_view kind, std::uint64_t version) {
    TensorSink sink;
    sink.open_record("value");
    sink.text("part", kind);
    sink.whole("version", version);
    write_value(sink, "state", FamilyPart<Gaussian>());
    sink.close();
    return sink.file();
}

TEST(TensorFile, APartCarriesItsVersion) {
    EXPECT_TRUE(from_tensor_file<Part>(part_file("gaussian", 1)));
    const auto newer = from_tensor_file<Part>(part_file("gaussian", 7));
    ASSERT_FALSE(newer);
    for (const char* word : {"newer", "gaussian", "version 7", "up to 1"})
        EXPECT_NE(newer.error().message.find(word), std::string::npos) << newer.error().message;
}

TEST(TensorFile, APartOfAnUnknownKindIsRefusedByName) {
    const auto unknown = from_tensor_file<Part>(part_file("hypergaussian", 1));
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("hypergaussian"), std::string::npos) << unknown.error().message;
}

}  // namespace
}  // namespace suffice
