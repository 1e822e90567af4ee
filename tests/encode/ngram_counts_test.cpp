// Holds n-gram counts to the laws of a statistic and to plain counting.
#include "suffice/encode/ngram_counts.hpp"

#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace suffice {
namespace {

using Codes = std::vector<std::uint32_t>;

std::vector<Codes> some_documents(std::size_t count) {
    std::vector<Codes> documents(count);
    std::uint64_t state = 3;
    for (Codes& document : documents)
        for (std::size_t left = (state >> 40) % 30; left > 0; --left) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            document.push_back(static_cast<std::uint32_t>((state >> 33) % 7));
        }
    documents[0].clear();
    return documents;
}

NgramCounts counts_of(std::size_t order, const std::vector<Codes>& documents, std::size_t first, std::size_t last) {
    NgramCounts counts(order);
    for (std::size_t k = first; k < last; ++k) counts.observe(documents[k]);
    return counts;
}

TEST(NgramCounts, CountEachWordAfterItsHistory) {
    for (std::size_t order = 1; order <= 5; ++order) {
        const auto documents = some_documents(50);
        std::map<Codes, double> expected, found;
        for (const Codes& document : documents) {
            Codes text = {NgramCounts::begin};
            text.insert(text.end(), document.begin(), document.end());
            text.push_back(NgramCounts::end);
            for (std::size_t k = 1; k < text.size(); ++k) {
                const auto last = text.begin() + static_cast<std::ptrdiff_t>(k) + 1;
                expected[Codes(last - static_cast<std::ptrdiff_t>(std::min(order, k + 1)), last)] += 1;
            }
        }
        counts_of(order, documents, 0, 50).for_each([&](std::span<const std::uint32_t> codes, double count) {
            found[Codes(codes.begin(), codes.end())] = count;
        });
        EXPECT_EQ(found, expected) << "order " << order;
    }
}

TEST(NgramCounts, MergingPiecesGivesTheWholeAndRemovingUndoesIt) {
    const auto documents = some_documents(60);
    const NgramCounts whole = counts_of(3, documents, 0, 60), first = counts_of(3, documents, 0, 25),
                      second = counts_of(3, documents, 25, 60);
    NgramCounts merged = second;
    merged.merge(first);
    EXPECT_TRUE(merged == whole);
    merged.remove(second);
    EXPECT_TRUE(merged == first);
    merged.remove(first);
    EXPECT_TRUE(merged == NgramCounts(3));
    EXPECT_EQ(merged.weight(), 0);
    NgramCounts empty(3);
    empty.merge(NgramCounts(3));
    EXPECT_TRUE(empty == NgramCounts(3));
}

TEST(NgramCounts, WeightTwoIsTwoDocuments) {
    const Codes document = {1, 2, 1, 2, 3};
    NgramCounts twice(3), heavy(3), scaled(3);
    twice.observe(document), twice.observe(document);
    heavy.observe(document, 2);
    scaled.observe(document), scaled.scale(2);
    EXPECT_TRUE(twice == heavy);
    EXPECT_TRUE(twice == scaled);
}

TEST(NgramCounts, FollowTheirWordsWhenCodesChange) {
    const auto documents = some_documents(30);
    const Codes code_here = {6, 5, 4, 3, 2, 1, 0};
    auto renamed = documents;
    for (Codes& document : renamed)
        for (std::uint32_t& code : document) code = code_here[code];
    NgramCounts counts = counts_of(4, documents, 0, 30);
    counts.recode(code_here);
    EXPECT_TRUE(counts == counts_of(4, renamed, 0, 30));
}

}  // namespace
}  // namespace suffice
