// The words that most probably come next, by the language models of a classifier.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "suffice/flow/model.hpp"

namespace suffice {

struct NextWord {
    std::string word;
    double probability = 0;
};

// p(word | text) = sum over classes of p(class | text) p(word | text, class); of one class where it is given. Most
// probable first, ties in the order of the vocabulary. A model of counts has no order: there the text tells the class
// alone.
Result<std::vector<NextWord>> next_words(const Model& model, std::string_view text, std::size_t most,
                                         std::optional<std::size_t> of_class = {});

}  // namespace suffice
