// The words that speak most for a class: what inspect lists.
#pragma once
#include <optional>
#include <vector>

#include "suffice/part/token_part.hpp"

namespace suffice {

struct TellingWord {
    std::uint32_t word = 0;
    double log_odds = 0;   // log p(word | class) - log p(word | the other classes)
    double bits = 0;       // -log2 p(word | class)
    double count = 0;      // in the class
    double documents = 0;  // of the class that have it
};

// By smoothed counts, largest log odds first, ties in the order of the vocabulary. `versus`: against this class alone.
std::vector<TellingWord> telling_words(const TokenPart& part, const Settings& settings, std::size_t word_count,
                                       std::size_t of_class, std::optional<std::size_t> versus, std::size_t most);

}  // namespace suffice
