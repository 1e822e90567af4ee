// Holds counts to a plain map, for any number of threads, and tf-idf to its formula.
#include "suffice/encode/text_count.hpp"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "suffice/encode/text_weight.hpp"

namespace suffice {
namespace {

struct Corpus {
    std::vector<std::string> texts;
    std::vector<std::string_view> documents;

    // Over 1 MiB, so that threads are used; some documents are empty and some words rare.
    explicit Corpus(std::size_t count) {
        std::uint64_t state = 5;
        const auto draw = [&state](std::uint64_t below) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            return (state >> 33) % below;
        };
        for (std::size_t k = 0; k < count; ++k) {
            std::string text;
            for (std::uint64_t left = draw(120); left > 0; --left) {
                const std::uint64_t word = draw(10) == 0 ? draw(30000) : draw(300);
                text += (word % 3 == 0   ? "Word"
                         : word % 3 == 1 ? "w"
                                         : "fran\xC3\xA7"
                                           "aisword") +
                        std::to_string(word) + ' ';
            }
            texts.push_back(text);
        }
        for (const std::string& text : texts) documents.push_back(text);
    }
};

TokenCounts count(const Corpus& corpus, const Tokenizer& tokenizer, Vocabulary& vocabulary, unsigned threads) {
    Context context;
    context.thread_count = threads;
    return count_documents(corpus.documents, tokenizer, vocabulary, context).value();
}

TEST(TextCount, EveryRowHoldsTheCountsOfItsDocument) {
    const Corpus corpus(3000);
    const Tokenizer tokenizer = Tokenizer::make({}).value();
    Vocabulary vocabulary;
    const TokenCounts counts = count(corpus, tokenizer, vocabulary, 2);
    ASSERT_EQ(counts.row_start.size(), corpus.documents.size() + 1);
    EXPECT_EQ(counts.column_count, vocabulary.size());
    for (std::size_t row = 0; row < corpus.documents.size(); ++row) {
        std::map<std::string, double> expected, found;
        tokenizer.tokens(corpus.documents[row], [&](std::string_view token) { expected[std::string(token)] += 1; })
            .value();
        for (auto k = static_cast<std::size_t>(counts.row_start[row]);
             k < static_cast<std::size_t>(counts.row_start[row + 1]); ++k) {
            found[std::string(vocabulary.word(counts.column[k]))] = counts.value[k];
            if (k > static_cast<std::size_t>(counts.row_start[row])) {
                EXPECT_LT(counts.column[k - 1], counts.column[k]);
            }
        }
        ASSERT_EQ(found, expected) << "row " << row;
    }
}

TEST(TextCount, DoesNotDependOnTheNumberOfThreads) {
    const Corpus corpus(4000);
    const Tokenizer tokenizer = Tokenizer::make({}).value();
    Vocabulary one;
    const TokenCounts expected = count(corpus, tokenizer, one, 1);
    for (const unsigned threads : {2u, 3u, 7u}) {
        Vocabulary vocabulary;
        const TokenCounts counts = count(corpus, tokenizer, vocabulary, threads);
        EXPECT_TRUE(vocabulary == one);
        EXPECT_EQ(counts.row_start, expected.row_start);
        EXPECT_EQ(counts.column, expected.column);
        EXPECT_EQ(counts.value, expected.value);
    }
}

TEST(TextCount, AddsToAVocabularyThatHasWordsAlready) {
    const Corpus corpus(200);
    const Tokenizer tokenizer = Tokenizer::make({}).value();
    Vocabulary vocabulary, fresh;
    vocabulary.add("zero");
    const TokenCounts counts = count(corpus, tokenizer, vocabulary, 2), expected = count(corpus, tokenizer, fresh, 1);
    ASSERT_EQ(vocabulary.size(), fresh.size() + 1);
    for (std::size_t k = 0; k < counts.column.size(); ++k) ASSERT_EQ(counts.column[k], expected.column[k] + 1);
}

TEST(TextCount, LeavesUnknownWordsOutOfAKnownVocabulary) {
    const Tokenizer tokenizer = Tokenizer::make({}).value();
    const std::vector<std::string> words = {"cat", "dog"};
    const std::vector<std::string_view> documents = {"dog mouse dog cat", "", "mouse"};
    const TokenCounts counts = count_known_documents(documents, tokenizer, Vocabulary(words)).value();
    EXPECT_EQ(counts.row_start, (std::vector<std::int64_t>{0, 2, 2, 2}));
    EXPECT_EQ(counts.column, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(counts.value, (std::vector<double>{1, 2}));
}

TEST(TextCount, BinaryCountsPresence) {
    const Tokenizer tokenizer = Tokenizer::make({.binary = true}).value();
    Vocabulary vocabulary;
    const std::vector<std::string_view> documents = {"dog mouse dog cat"};
    EXPECT_EQ(count_documents(documents, tokenizer, vocabulary).value().value, (std::vector<double>{1, 1, 1}));
}

TEST(TextCount, NamesTheDocumentThatIsRefused) {
    const Tokenizer tokenizer = Tokenizer::make({.invalid_bytes = InvalidBytes::refuse}).value();
    Vocabulary vocabulary;
    const std::vector<std::string_view> documents = {"fine", "bad \xff"};
    const auto counted = count_documents(documents, tokenizer, vocabulary);
    ASSERT_FALSE(counted);
    EXPECT_EQ(counted.error().row, 2u);
    EXPECT_EQ(vocabulary.size(), 0u);
}

// Values from scikit-learn 1.9: TfidfTransformer(sublinear_tf=s, smooth_idf=t) on
// [[3,0,1],[2,0,0],[3,0,0],[4,0,0],[3,2,0],[3,0,2]].
TEST(TextWeight, IsScikitLearnsTfidf) {
    const auto example = [] {
        TokenCounts rows;
        rows.row_start = {0, 2, 3, 4, 5, 7, 9};
        rows.column = {0, 2, 0, 0, 0, 0, 1, 0, 2};
        rows.value = {3, 1, 2, 3, 4, 3, 2, 3, 2};
        rows.column_count = 3;
        return rows;
    };
    TokenCounts rows = example();
    const auto frequencies = document_frequencies(rows.view());
    EXPECT_EQ(frequencies, (std::vector<double>{6, 1, 2}));
    const auto plain = inverse_document_frequencies(frequencies, 6, false);
    weigh_terms(rows, {.inverse_document_frequency = plain});
    EXPECT_NEAR(rows.value[0], 0.81940995, 1e-8);
    EXPECT_NEAR(rows.value[1], 0.57320793, 1e-8);
    EXPECT_NEAR(rows.value[5], 0.47330339, 1e-8);
    EXPECT_NEAR(rows.value[6], 0.88089948, 1e-8);
    rows = example();
    const auto smooth = inverse_document_frequencies(frequencies, 6);
    weigh_terms(rows, {.inverse_document_frequency = smooth});
    EXPECT_NEAR(rows.value[0], 0.85151335, 1e-8);
    EXPECT_NEAR(rows.value[1], 0.52433293, 1e-8);
    EXPECT_NEAR(rows.value[6], 0.83236428, 1e-8);
    rows = example();
    weigh_terms(rows, {.sublinear = true, .norm = RowNorm::l1});
    EXPECT_NEAR(rows.value[0], (1 + std::log(3)) / (2 + std::log(3)), 1e-15);
}

TEST(TextWeight, SelectsWordsByFrequency) {
    const std::vector<double> documents = {5, 1, 3, 3, 2}, terms = {9, 1, 4, 7, 4};
    const std::vector<std::uint32_t> order = {4, 3, 2, 1, 0};
    EXPECT_EQ(select_terms(documents, terms, order, 2, 4, 0), (std::vector<std::uint32_t>{4, 3, 2}));
    EXPECT_EQ(select_terms(documents, terms, order, 1, 5, 2), (std::vector<std::uint32_t>{3, 0}));
    EXPECT_EQ(select_terms(documents, terms, order, 2, 4, 2), (std::vector<std::uint32_t>{4, 3}));
}

}  // namespace
}  // namespace suffice
