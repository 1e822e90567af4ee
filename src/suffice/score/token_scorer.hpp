// Documents scored by their words: only the words of a document are touched, each a row of weights by class.
#pragma once
#include <memory>
#include <vector>

#include "suffice/encode/text_memory.hpp"
#include "suffice/score/scorer.hpp"

namespace suffice {

// How the weights of words add up to a document's score.
enum class WordScore : std::uint8_t {
    multinomial,  // log n!/prod x! + sum of x log p
    complement,   // sum of x times a weight; a score, not a density
    presence,     // the baseline of a document without words, and log p/(1-p) for each word that occurs
    dirichlet     // sum of log (alpha)(alpha + 1)...(alpha + x - 1), less the same of the total for the length
};

// Of the number of words in a document of a class: Poisson where r is infinite, else negative binomial with this mean
// and r. Scores take the words that the model knows.
struct LengthModel {
    double mean = 0, r = 0;
    double log_density(double length) const;
};

struct TokenWeights {
    std::uint32_t column = 0;
    WordScore score = WordScore::multinomial;
    std::size_t class_count = 0;
    bool densities = true;                       // false: weights were scaled, so that they are scores alone
    std::size_t row_count = 0;                   // words that tell something
    PageArray<double> weight;                    // row by row, each kernel::row_width(class_count) long
    std::vector<double> total;                   // by class; presence: the baseline, dirichlet: the sum of alpha
    std::vector<double> length;                  // mean words of a document by class, for sampling
    std::vector<LengthModel> length_model = {};  // by class; empty: the length tells nothing
    std::vector<double> norm_weight = {};  // by row: documents are scaled so that counts times these have length one;
                                           // empty: they stay as they are
    std::vector<std::uint32_t> row_of_word = {};  // empty: the row is the word's code
    std::vector<std::uint32_t> word_of_row = {};  // likewise

    static constexpr std::uint32_t no_row = ~std::uint32_t{0};
};

// A word that is not in the vocabulary, or that no row is kept for, tells nothing: it is as if it were not there.
std::unique_ptr<Scorer> token_scorer(TokenWeights weights);

}  // namespace suffice
