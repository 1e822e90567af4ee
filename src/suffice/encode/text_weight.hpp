// Weights of counted words (tf-idf) and the choice of words to keep, as scikit-learn's TfidfTransformer and
// CountVectorizer.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "suffice/data/block.hpp"
#include "suffice/encode/text_count.hpp"

namespace suffice {

// In how many rows each column is not zero; how much each column adds up to.
std::vector<double> document_frequencies(const SparseBlock& rows);
std::vector<double> term_frequencies(const SparseBlock& rows);

// log(n / frequency) + 1; smoothed as if one more document held every word, so that none divides by zero.
std::vector<double> inverse_document_frequencies(std::span<const double> frequencies, double document_count,
                                                 bool smooth = true);

enum class RowNorm : std::uint8_t { none, l1, l2 };
struct TermWeighting {
    bool sublinear = false;                                   // 1 + log(count) instead of the count
    std::span<const double> inverse_document_frequency = {};  // empty: none
    RowNorm norm = RowNorm::l2;
};
void weigh_terms(TokenCounts& rows, const TermWeighting& weighting);

// Words in at least `least` and at most `most` documents; of those the `limit` most frequent (0: all), ties to the
// first of `order`. Codes come back in `order`, which is usually the alphabetical one.
std::vector<std::uint32_t> select_terms(std::span<const double> document_frequency,
                                        std::span<const double> term_frequency, std::span<const std::uint32_t> order,
                                        double least, double most, std::size_t limit);

}  // namespace suffice
