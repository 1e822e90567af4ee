// Words of several documents of one class, summed in an array by code before they go to the class's table: a word that
// many of them have is looked up there once.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "suffice/accumulate/token_table.hpp"
#include "suffice/encode/text_memory.hpp"

namespace suffice {

class WordRun {
public:
    static constexpr std::uint32_t most_words = 1u << 22;  // 64 MiB; with more, a table for each class is smaller

    // For codes below word_count, in so many places.
    void make_room(std::size_t word_count, std::size_t places) {
        sum_.grow(word_count, sum_.size());
        if (met_.size() < met_count_ + places) met_.resize(met_count_ + places);
    }
    // A document of weight above zero; no counts: once each.
    void add(std::span<const std::uint32_t> words, std::span<const double> counts, double weight);
    bool empty() const { return met_count_ == 0; }
    // Into the table; then it is empty.
    void pour(TokenTable::Words& into);

private:
    PageArray<WordSum> sum_;          // by code; zero where not met
    std::vector<std::uint32_t> met_;  // by first appearance
    std::size_t met_count_ = 0;
};

}  // namespace suffice
