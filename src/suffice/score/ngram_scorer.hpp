// Documents scored as sequences: each word by its probability after the words before it, for all classes at once.
//
//   p(w | h, c) = alpha_c(h, w) + gamma_c(h) p(w | h without its first word, c)
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "suffice/encode/ngram_table.hpp"
#include "suffice/score/scorer.hpp"

namespace suffice {

// Numbers that only some classes have, by item.
struct ClassShares {
    struct Share {
        std::uint32_t item = 0, of_class = 0;
        double value = 0;
    };
    std::vector<std::uint32_t> start = {0};  // of each item in `share`, and the end
    std::vector<Share> share;

    ClassShares() = default;
    ClassShares(std::vector<Share> unordered, std::size_t item_count);
    std::span<const Share> of(std::uint32_t item) const {
        return std::span(share).subspan(start[item], start[item + 1] - start[item]);
    }
};

// The n-grams of one length. One table for all classes, so that a word is looked up once and not once a class.
struct NgramLevel {
    NgramTable histories, grams;
    ClassShares gamma, alpha;                 // of histories and of grams
    std::vector<std::uint32_t> start, after;  // the grams of each history: after[start[h]] to after[start[h + 1]]
    void group();                             // fills start and after
};

struct NgramWeights {
    std::uint32_t column = 0;
    std::size_t class_count = 0, vocabulary_size = 0;
    std::vector<NgramLevel> levels;  // of histories of 0, 1, ... words
    std::vector<double> length;      // mean words of a document by class
};

// Blocks have the words of the column in the order of the text (TextOptions::in_order).
std::unique_ptr<Scorer> ngram_scorer(NgramWeights weights);

}  // namespace suffice
