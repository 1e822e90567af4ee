// The words that speak most for a class: what inspect lists.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "suffice/accumulate/token_table.hpp"
#include "suffice/part/part.hpp"

namespace suffice {

struct TellingWord {
    std::uint32_t word = 0;
    double log_odds = 0;   // log p(word | class) - log p(word | the other classes); of presence, of the odds p/(1 - p)
    double bits = 0;       // -log2 p(word | class)
    double count = 0;      // in the class
    double documents = 0;  // of the class that have it; 0: not known, as of n-grams
};

// The counts of words behind a Part of text, summed up in `room` where they are of n-grams; null: it is of no text.
const TokenTable* word_table(const Part& part, TokenTable& room);

// How many documents each class has, where the model goes by the presence of words; else nothing.
std::span<const double> document_weight(const Part& part, const Settings& settings);

// As the model smooths counts, or shares of documents where `documents` are given; largest log odds first, ties in the
// order of the vocabulary. `versus`: against this class alone.
std::vector<TellingWord> telling_words(const TokenTable& table, std::span<const double> documents,
                                       const Settings& settings, std::size_t word_count, std::size_t of_class,
                                       std::optional<std::size_t> versus, std::size_t most);

}  // namespace suffice
