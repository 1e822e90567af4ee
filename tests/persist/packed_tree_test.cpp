// Long lists are packed: the header stays short, fields may be missing or unknown, and hostile bytes are refused.
#include "suffice/persist/packed_tree.hpp"

#include "persist/right_checksum.hpp"
#include <gtest/gtest.h>

#include "suffice/persist/model_file.hpp"
#include "suffice/persist/tensor_file.hpp"

namespace suffice {
namespace {

struct Plain {
    double weight = 0;
    std::string name;
    static constexpr auto fields = FieldTuple{field("weight", &Plain::weight), field("name", &Plain::name)};
    bool operator==(const Plain&) const = default;
};
struct Empty {
    static constexpr auto fields = FieldTuple{};
    bool operator==(const Empty&) const = default;
};
struct Item {
    double weight = 0;
    double decay = 0.25;
    std::string name;
    std::vector<double> values;
    std::vector<std::string> words;
    std::vector<Item> inner;
    std::vector<Empty> nothing;
    std::map<std::uint32_t, double> table;
    static constexpr auto fields =
        FieldTuple{field("weight", &Item::weight),   field("decay", &Item::decay), field("name", &Item::name),
                   field("values", &Item::values),   field("words", &Item::words), field("inner", &Item::inner),
                   field("nothing", &Item::nothing), field("table", &Item::table)};
    bool operator==(const Item&) const = default;
};
template <class T>
struct Many {
    std::vector<T> items;
    double last = 7;
    static constexpr auto fields = FieldTuple{field("items", &Many::items), field("last", &Many::last)};
    bool operator==(const Many&) const = default;
};

Many<Item> many(std::size_t count) {
    Many<Item> all;
    for (std::size_t k = 0; k < count; ++k) {
        Item item{static_cast<double>(k),
                  0.5,
                  "item " + std::to_string(k),
                  {1, 2, static_cast<double>(k)},
                  {"a", ""},
                  {},
                  std::vector<Empty>(k % 3),
                  {{3, 0.5}, {9, static_cast<double>(k)}}};
        if (k % 5 == 0) item.inner.push_back({1, 2, "deeper", {}, {"x"}, {}, {}, {}});
        all.items.push_back(item);
    }
    return all;
}

std::uint64_t header_length(const std::string& file) {
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), sizeof length);
    return length;
}

TEST(PackedTree, ManyItemsComeBackAndTheHeaderStaysShort) {
    for (const std::size_t count : {63u, 64u, 1000u, 20000u}) {
        const auto value = many(count);
        const std::string file = to_tensor_file(value);
        const auto read = from_tensor_file<Many<Item>>(file);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(*read, value);
        if (count >= packed_from) {
            EXPECT_LT(header_length(file), 1000u);
        }
    }
}

TEST(PackedTree, EverythingCanBePacked) {
    TensorSink sink(0);
    const auto value = many(5);
    write_value(sink, "value", value);
    const auto read = from_tensor_file<Many<Item>>(sink.file());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, value);
}

TEST(PackedTree, AFieldThatAnOlderListLacksStaysAsItStartsOut) {
    Many<Plain> old;
    for (int k = 0; k < 100; ++k) old.items.push_back({k + 0.5, "n" + std::to_string(k)});
    const auto read = from_tensor_file<Many<Item>>(to_tensor_file(old));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->items[99].weight, 99.5);
    EXPECT_EQ(read->items[99].name, "n99");
    EXPECT_EQ(read->items[99].decay, 0.25);
    EXPECT_EQ(read->last, 7);
}

TEST(PackedTree, AFieldThatIsNotKnownIsRefusedAsNewer) {
    const auto read = from_tensor_file<Many<Plain>>(to_tensor_file(many(100)));
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("newer"), std::string::npos) << read.error().message;
}

TEST(PackedTree, EveryChangedByteIsRefusedOrReadAsSomething) {
    const std::string file = to_tensor_file(many(70));
    for (std::size_t at = 8; at < file.size(); ++at)
        for (const char change : {'\x00', '\x01', '\x7f', '\xff', 'r', 'l'}) {
            std::string other = file;
            other[at] = change;
            (void)from_tensor_file<Many<Item>>(with_right_checksum(std::move(other)));
        }
}

TEST(TreeText, NestedBracketsAreRefusedAtAnyDepth) {
    for (const std::size_t depth : {100u, 200'000u, 10'000'000u}) {
        const std::string brackets(depth, '['), closed = brackets + std::string(depth, ']');
        for (const std::string& tree : {brackets, closed}) {
            std::string header =
                "{\"__metadata__\":{\"format\":\"suffice 2\",\"checksum\":\"0123456789abcdef\","
                "\"suffice\":\"" +
                tree + "\"}}";
            const std::uint64_t length = header.size();
            const std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
            const auto read = from_file_bytes(with_right_checksum(bytes + header));
            ASSERT_FALSE(read);
            EXPECT_NE(read.error().message.find("makes no sense"), std::string::npos) << read.error().message;
        }
        const std::uint64_t length = closed.size();
        EXPECT_FALSE(from_file_bytes(std::string(reinterpret_cast<const char*>(&length), sizeof length) + closed));
    }
}

}  // namespace
}  // namespace suffice
