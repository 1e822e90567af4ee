// Probabilities of the next word from n-gram counts, each order interpolated with the one below, down to the uniform.
//
//   p(w | h) = alpha(h, w) + gamma(h) p(w | h without its first word)
//
// Witten-Bell (1991): alpha = c(hw) / (c(h) + t(h)), gamma = t(h) / (c(h) + t(h)), t(h) = number of different words
// after h. Modified Kneser-Ney (Chen and Goodman 1998): alpha = (a(hw) - D(a(hw))) / a(h); below the highest order
// a(hw) counts the different words before hw, and gamma gives back what the discounts D1, D2, D3+ took. Over a
// vocabulary of V words the outcomes are the V words, the end of the document and an unknown word: they sum to one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "suffice/base/result.hpp"
#include "suffice/encode/ngram_counts.hpp"
#include "suffice/estimate/settings.hpp"

namespace suffice {

class NgramModel {
public:
    // Kneser-Ney refuses counts that are not whole numbers, as after decay.
    static Result<NgramModel> estimate(const NgramCounts& counts, std::size_t vocabulary_size,
                                       NgramSmoothing smoothing);

    std::size_t order() const { return levels_.size(); }
    std::size_t vocabulary_size() const { return vocabulary_size_; }
    std::size_t outcome_count() const { return vocabulary_size_ + 2; }

    // visit(codes, value) of the histories of `length` words and their gamma, and of what followed them and its alpha.
    template <class Visit>
    void for_each_history(std::size_t length, Visit&& visit) const {
        const Level& level = levels_[length];
        for (std::size_t k = 0; k < level.histories.size(); ++k) visit(level.histories[k], level.gamma[k]);
    }
    template <class Visit>
    void for_each_gram(std::size_t length, Visit&& visit) const {
        const Level& level = levels_[length];
        for (std::size_t k = 0; k < level.grams.size(); ++k) visit(level.grams[k], level.alpha[k]);
    }
    std::size_t gram_count(std::size_t length) const { return levels_[length].grams.size(); }

    // `history` in reading order, NgramCounts::begin first at the start of a document; only its last order - 1 codes
    // count. Words outside the vocabulary are NgramCounts::unknown.
    double probability(std::span<const std::uint32_t> history, std::uint32_t word) const;
    // Of every outcome: the words by code, then the end, then an unknown word.
    std::vector<double> distribution(std::span<const std::uint32_t> history) const;
    // Of a whole document with its end; exp(-log_probability / (words + 1)) is its perplexity.
    double log_probability(std::span<const std::uint32_t> codes) const;

private:
    struct Level {
        NgramTable histories;       // k - 1 codes; of the unigrams one, without codes
        std::vector<double> gamma;  // by history
        NgramTable grams;           // k codes
        std::vector<double> alpha;  // by gram
    };
    std::size_t vocabulary_size_ = 0;
    std::vector<Level> levels_;
};

}  // namespace suffice
