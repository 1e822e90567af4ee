// Holds vocabularies to what a map and a list of first appearances say.
#include "suffice/encode/vocabulary.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

namespace suffice {
namespace {

// Words of every length, many sharing prefixes, some ending in zero bytes or 0xFF, with repetitions.
std::vector<std::string> hard_words(std::size_t count, std::uint64_t seed) {
    std::vector<std::string> words = {"",
                                      std::string(1, '\0'),
                                      std::string(2, '\0'),
                                      "a",
                                      std::string("a\0", 2),
                                      std::string(12, 'x'),
                                      std::string(12, 'x') + '\0',
                                      std::string(13, 'x'),
                                      std::string(11, 'x') + '\xFF'};
    for (std::size_t k = 0; k < count; ++k) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const std::size_t size = (seed >> 33) % 24;
        std::string word(size, 'p');
        for (std::size_t j = 0; j < std::min<std::size_t>(size, 5); ++j)
            word[size - 1 - j] = static_cast<char>("ab\0\xFFz"[(seed >> (40 + 3 * j)) % 5]);
        words.push_back(word);
    }
    return words;
}

TEST(Vocabulary, NumbersWordsByFirstAppearance) {
    Vocabulary vocabulary;
    std::unordered_map<std::string, std::uint32_t> expected;
    for (const std::string& word : hard_words(50000, 1)) {
        EXPECT_EQ(vocabulary.find(word), expected.contains(word) ? expected[word] : Vocabulary::unknown);
        const auto code = expected.try_emplace(word, static_cast<std::uint32_t>(expected.size())).first->second;
        ASSERT_EQ(vocabulary.add(word), code);
    }
    ASSERT_EQ(vocabulary.size(), expected.size());
    for (const auto& [word, code] : expected) {
        EXPECT_EQ(vocabulary.find(word), code);
        EXPECT_EQ(vocabulary.word(code), word);
    }
}

TEST(Vocabulary, MergingIsAsIfTheOthersWordsHadFollowed) {
    for (const unsigned threads : {1u, 3u}) {
        Vocabulary first, second, whole;
        for (int k = 0; k < 30000; ++k)
            first.add("w" + std::to_string(k * 7 % 20011)), whole.add("w" + std::to_string(k * 7 % 20011));
        for (int k = 0; k < 30000; ++k) second.add("w" + std::to_string(k * 3)), whole.add("w" + std::to_string(k * 3));
        const auto code_here = first.merge(second, threads);
        EXPECT_TRUE(first == whole);
        for (std::size_t k = 0; k < second.size(); ++k) EXPECT_EQ(first.word(code_here[k]), second.word(k));
    }
}

TEST(Vocabulary, SortsByCodePoint) {
    const std::vector<std::string> words = {"zebra", "\xC3\xA9t\xC3\xA9", "apple",       "Apple",
                                            "app",   "\xF0\x9F\x98\x80",  "\xEF\xBF\xBD"};
    const Vocabulary vocabulary(words);
    std::vector<std::string> sorted = words;
    std::sort(sorted.begin(), sorted.end());
    const auto codes = vocabulary.sorted_codes();
    for (std::size_t k = 0; k < words.size(); ++k) EXPECT_EQ(vocabulary.word(codes[k]), sorted[k]);
}

TEST(Vocabulary, IsAValue) {
    Vocabulary original;
    for (int k = 0; k < 5000; ++k) original.add("word" + std::to_string(k));
    Vocabulary copy = original;
    copy.add("another");
    EXPECT_EQ(original.find("another"), Vocabulary::unknown);
    EXPECT_EQ(copy.find("word4999"), 4999u);
    EXPECT_FALSE(copy == original);
    EXPECT_LT(original.memory_bytes(), 5000u * 200u);
}

}  // namespace
}  // namespace suffice
