// Counts of words held to a map, whatever way they came in.
#include "suffice/accumulate/token_table.hpp"

#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "suffice/accumulate/word_run.hpp"
#include "suffice/base/random.hpp"

namespace suffice {
namespace {

constexpr std::uint32_t class_count = 3, word_count = 500;

using Expected = std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<double, double>>;

void add_some(TokenTable& table, Expected& expected, std::uint64_t seed, const CodeMap& meaning) {
    Rng rng(seed, "words");
    for (int k = 0; k < 2000; ++k) {
        const auto c = static_cast<std::uint32_t>(rng.below(class_count));
        const auto word = static_cast<std::uint32_t>(rng.below(word_count));
        const auto count = static_cast<double>(1 + rng.below(5));
        table.add(c, word, count, 1);
        if (meaning.to[word] == CodeMap::dropped) continue;
        auto& [counts, documents] = expected[{c, meaning.to[word]}];
        counts += count;
        documents += 1;
    }
}

CodeMap same_codes(std::uint32_t count) {
    CodeMap map{std::vector<std::uint32_t>(count), count};
    std::iota(map.to.begin(), map.to.end(), 0u);
    return map;
}

CodeMap backwards() {
    CodeMap map = same_codes(word_count);
    for (std::uint32_t& to : map.to) to = word_count - 1 - to;
    map.to[7] = CodeMap::dropped;
    return map;
}

void expect_equal(const TokenTable& table, const Expected& expected) {
    const auto entries = table.sorted();
    ASSERT_EQ(entries.size(), expected.size());
    auto at = expected.begin();
    for (const auto& each : entries) {
        EXPECT_EQ(std::pair(each.of_class, each.word), at->first);
        EXPECT_EQ(std::pair(each.count, each.documents), at->second);
        ++at;
    }
}

TEST(TokenTable, MovedToOtherCodesItCanBeAddedToMergedAndTakenFrom) {
    TokenTable first, second;
    Expected of_first, of_second;
    add_some(first, of_first, 1, backwards());
    add_some(second, of_second, 2, backwards());
    first.recode(same_codes(class_count), backwards());
    second.recode(same_codes(class_count), backwards());
    expect_equal(first, of_first);

    TokenTable both = first;
    Expected of_both = of_first;
    both.merge(second);
    for (const auto& [key, value] : of_second) {
        of_both[key].first += value.first;
        of_both[key].second += value.second;
    }
    expect_equal(both, of_both);

    TokenTable more = both;
    Expected of_more = of_both;
    add_some(more, of_more, 3, same_codes(word_count));
    expect_equal(more, of_more);

    both.remove(second);
    expect_equal(both, of_first);
    both.scale(0.5);
    for (auto& [key, value] : of_first) value = {value.first / 2, value.second / 2};
    expect_equal(both, of_first);
}

TEST(TokenTable, TablesWithCodesOfTheirOwnAreUnitedByAnyNumberOfThreads) {
    std::vector<TokenTable> tables(2);
    Expected expected;
    const std::vector<CodeMap> meaning = {same_codes(word_count), backwards()};
    for (std::size_t k = 0; k < 2; ++k) add_some(tables[k], expected, k + 1, meaning[k]);
    for (const unsigned threads : {1u, 2u, 5u}) expect_equal(TokenTable::united(tables, meaning, threads), expected);
}

TEST(TokenTable, RunsOfDocumentsAddUpAsTheirWordsDo) {
    TokenTable by_run;
    Expected expected;
    Rng rng(3, "runs");
    WordRun run;
    for (const std::size_t document_count : {9, 9, 1, 1, 40, 1, 9}) {  // longer and shorter than what is there
        for (std::uint32_t c = 0; c < class_count; ++c) {
            EXPECT_TRUE(run.empty());
            for (std::size_t k = 0; k < document_count; ++k) {
                std::vector<std::uint32_t> words;
                std::vector<double> counts;
                for (std::uint32_t word = 0; word < word_count; ++word)
                    if (rng.below(20) == 0) words.push_back(word), counts.push_back(static_cast<double>(rng.below(3)));
                const double weight = 0.25 * static_cast<double>(1 + rng.below(4));
                run.make_room(word_count, words.size());
                run.add(words, counts, weight);
                for (std::size_t w = 0; w < words.size(); ++w) {
                    if (counts[w] == 0) continue;
                    auto& [count, documents] = expected[{c, words[w]}];
                    count += weight * counts[w];
                    documents += weight;
                }
            }
            run.pour(by_run.of_class(c));
        }
    }
    expect_equal(by_run, expected);
}

}  // namespace
}  // namespace suffice
