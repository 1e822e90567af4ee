// Counts of words per class straight from documents: the statistic of the multinomial text models, with no matrix in
// between.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/base/result.hpp"
#include "suffice/encode/text_memory.hpp"
#include "suffice/encode/tokenizer.hpp"
#include "suffice/encode/vocabulary.hpp"

namespace suffice {

struct ClassCounts {
    std::size_t class_count = 0, word_count = 0;
    PageArray<double> count;              // word by word: count[code * class_count + class]; may be longer than needed
    std::vector<double> document_weight;  // per class
    std::vector<double> token_weight;     // per class
    std::uint64_t invalid_count = 0;

    double of(std::size_t code, std::size_t label) const { return count[code * class_count + label]; }
};

// Label -1 leaves a document out. No weights: each document weighs one. With options().binary a word counts once a
// document. New words are added to `vocabulary` in the order of the documents; it is untouched when this fails.
Result<ClassCounts> count_classes(std::span<const std::string_view> documents, std::span<const std::int32_t> labels,
                                  std::span<const double> weights, std::size_t class_count, const Tokenizer& tokenizer,
                                  Vocabulary& vocabulary, const Context& context = {});

}  // namespace suffice
