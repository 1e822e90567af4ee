// Matrices of counted documents: columns in any order, rows sorted, long rows as short ones.
#include "suffice/encode/counted_documents.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace suffice {
namespace {

// Words w0, w1, ... with gaps, some documents long enough to be sorted digit by digit, one empty.
std::vector<std::string> some_documents() {
    std::vector<std::string> documents;
    std::uint64_t state = 7;
    for (std::size_t size : {3u, 0u, 900u, 40u, 5000u, 161u, 159u}) {
        std::string text;
        for (std::size_t k = 0; k < size; ++k) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            text += " w" + std::to_string((state >> 33) % 3000);
        }
        documents.push_back(std::move(text));
    }
    return documents;
}

TEST(CountedDocuments, LayOutEachRowByColumnInWhateverOrderTheColumnsAre) {
    const auto documents = some_documents();
    const std::vector<std::string_view> views(documents.begin(), documents.end());
    const Tokenizer tokenizer = Tokenizer::make({}).value();
    Vocabulary words;
    const auto counted = CountedDocuments::growing(views, tokenizer, words, {}).value();
    const auto sorted = words.sorted_codes();
    std::vector<std::uint32_t> column(words.size());
    for (std::uint32_t place = 0; place < sorted.size(); ++place) column[sorted[place]] = place;
    std::vector<std::int32_t> found_column(counted.entry_count());
    std::vector<std::int64_t> found(counted.entry_count());
    counted.lay_out(column, found_column.data(), found.data());
    ASSERT_EQ(counted.row_start().size(), documents.size() + 1);
    for (std::size_t row = 0; row < documents.size(); ++row) {
        std::map<std::string_view, std::int64_t> expected;  // sorted by word, as the columns are
        ASSERT_TRUE(
            tokenizer.tokens(views[row], [&](std::string_view token) { ++expected[words.word(words.find(token))]; }));
        auto at = static_cast<std::size_t>(counted.row_start()[row]);
        ASSERT_EQ(counted.row_start()[row + 1] - counted.row_start()[row], static_cast<std::int64_t>(expected.size()));
        for (const auto& [word, count] : expected) {
            EXPECT_EQ(words.word(sorted[static_cast<std::size_t>(found_column[at])]), word);
            EXPECT_EQ(found[at++], count);
        }
    }
}

}  // namespace
}  // namespace suffice
