// Holds the tokenizer to scikit-learn's analyzers, token by token, on hard documents (tools/text_goldens.py).
#include "suffice/encode/tokenizer.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "suffice/encode/stop_words.hpp"

namespace suffice {
namespace {

std::string text_of_hex(const std::string& hex) {
    std::string bytes;
    for (std::size_t k = 0; k + 1 < hex.size(); k += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(k, 2), nullptr, 16));
    return bytes;
}

std::vector<std::string> list_from_hex(const std::string& text) {
    std::vector<std::string> items;
    std::stringstream stream(text);
    for (std::string item; std::getline(stream, item, ',');) items.push_back(text_of_hex(item));
    return items;
}

std::vector<std::string> tokens_of(const Tokenizer& tokenizer, std::string_view document) {
    std::vector<std::string> tokens;
    tokenizer.tokens(document, [&](std::string_view token) { tokens.emplace_back(token); }).value();
    return tokens;
}

TextOptions options_from(const std::string& text) {
    TextOptions options;
    std::stringstream stream(text);
    for (std::string item; stream >> item;) {
        const std::string name = item.substr(0, item.find('=')), value = item.substr(item.find('=') + 1);
        if (name == "lowercase") options.lowercase = value == "1";
        if (name == "accents") options.accents = value_named<Accents>(value.empty() ? "none" : value).value();
        if (name == "analyzer") options.analyzer = value_named<Analyzer>(value).value();
        if (name == "encoding") options.encoding = value_named<TextEncoding>(value).value();
        if (name == "invalid_bytes") options.invalid_bytes = InvalidBytes::ignore;
        if (name == "stop_words") options.stop_words.words = stop_words(value).value();
        if (name == "ngram_min") options.ngrams.least = static_cast<std::uint32_t>(std::stoul(value));
        if (name == "ngram_max") options.ngrams.most = static_cast<std::uint32_t>(std::stoul(value));
        if (name == "minimum_length") options.minimum_length = static_cast<std::uint32_t>(std::stoul(value));
    }
    return options;
}

struct Golden {
    std::vector<std::string> documents, english;
    std::vector<std::pair<std::string, std::vector<std::vector<std::string>>>> expected;

    Golden() {
        std::ifstream file(SUFFICE_SOURCE_DIR "/tests/encode/tokenizer_golden.txt");
        for (std::string line; std::getline(file, line);) {
            const std::size_t space = line.find(' ');
            const std::string kind = line.substr(0, space),
                              rest = space == std::string::npos ? "" : line.substr(space + 1);
            if (kind == "english") english = list_from_hex(rest);
            if (kind == "document") documents.push_back(text_of_hex(rest));
            if (kind == "options") expected.emplace_back(rest, std::vector<std::vector<std::string>>());
            if (kind == "tokens") expected.back().second.push_back(list_from_hex(rest));
        }
    }
};

TEST(Tokenizer, GivesTheTokensOfScikitLearnOnHardDocuments) {
    const Golden golden;
    ASSERT_GT(golden.expected.size(), 10u);
    for (const auto& [text, expected] : golden.expected) {
        const Tokenizer tokenizer = Tokenizer::make(options_from(text)).value();
        ASSERT_EQ(expected.size(), golden.documents.size());
        for (std::size_t k = 0; k < golden.documents.size(); ++k)
            EXPECT_EQ(tokens_of(tokenizer, golden.documents[k]), expected[k])
                << "options '" << text << "', document " << k << ": " << golden.documents[k];
    }
}

TEST(Tokenizer, DoesNotDependOnWhatTheBufferHeldBefore) {
    const Golden golden;
    const Tokenizer tokenizer = Tokenizer::make({}).value();
    TokenBuffer used;
    for (const std::string& document : golden.documents) {
        ASSERT_TRUE(tokenizer.split(document, used));
        std::vector<std::string> tokens;
        for (std::size_t k = 0; k < used.size(); ++k) tokens.emplace_back(used[k]);
        EXPECT_EQ(tokens, tokens_of(tokenizer, document));
    }
}

TEST(Tokenizer, FindsTheSameWordsWhereverTheyLieInABlock) {
    const Tokenizer tokenizer = Tokenizer::make({}).value();
    for (std::size_t before = 0; before < 140; ++before) {
        const std::string document =
            std::string(before, '.') + "Hello W\xC3\x96rld_9 x " + std::string(before % 70, '-') + "END";
        EXPECT_EQ(tokens_of(tokenizer, document), (std::vector<std::string>{"hello", "w\xC3\xB6rld_9", "end"}));
    }
}

TEST(Tokenizer, CountsMalformedSequencesOrRefusesThem) {
    const Tokenizer lenient = Tokenizer::make({}).value();
    TokenBuffer buffer;
    ASSERT_TRUE(lenient.split("good \xff\xff bad \xe2\x82", buffer));
    EXPECT_EQ(buffer.invalid_count(), 3u);
    const Tokenizer strict = Tokenizer::make({.invalid_bytes = InvalidBytes::refuse}).value();
    EXPECT_FALSE(strict.split("good \xff bad", buffer));
    EXPECT_TRUE(strict.split("good", buffer));
}

TEST(Tokenizer, RefusesOptionsThatMakeNoSense) {
    EXPECT_FALSE(Tokenizer::make({.ngrams = {0, 1}}));
    EXPECT_FALSE(Tokenizer::make({.ngrams = {3, 2}}));
    EXPECT_FALSE(Tokenizer::make({.minimum_length = 0}));
    EXPECT_FALSE(Tokenizer::make({.stemmer = "klingon"}));
    EXPECT_FALSE(stop_words("klingon"));
}

TEST(Tokenizer, KeepsTheEnglishStopWordsOfScikitLearn) { EXPECT_EQ(stop_words("english").value(), Golden().english); }

TEST(Tokenizer, StemsWithSnowball) {
    if (Stemmer::languages().empty()) GTEST_SKIP() << "built without Snowball";
    const Tokenizer english = Tokenizer::make({.stemmer = "english"}).value();
    EXPECT_EQ(tokens_of(english, "Running runners generously consignment knightly"),
              (std::vector<std::string>{"run", "runner", "generous", "consign", "knight"}));
    const Tokenizer pairs = Tokenizer::make({.ngrams = {1, 2}, .stemmer = "english"}).value();
    EXPECT_EQ(tokens_of(pairs, "running cats"), (std::vector<std::string>{"run", "cat", "run cat"}));
    const Tokenizer german = Tokenizer::make({.stemmer = "german"}).value();
    EXPECT_EQ(tokens_of(german, "aufeinanderfolgenden H\xC3\xA4user"),
              (std::vector<std::string>{"aufeinanderfolg", "haus"}));
}

TEST(Tokenizer, ReadsAVeryLongWordAsOne) {
    const Tokenizer tokenizer = Tokenizer::make({}).value();
    const std::string word(3000000, 'x');
    EXPECT_EQ(tokens_of(tokenizer, word + " yy"), (std::vector<std::string>{word, "yy"}));
}

}  // namespace
}  // namespace suffice
