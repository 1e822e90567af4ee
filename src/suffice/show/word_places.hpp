// Telling words of text columns and where they stand in documents.
#pragma once
#include "suffice/show/report_rows.hpp"

namespace suffice {

// The words that speak most for each class, without places; none without text or for models that keep no counts.
std::vector<WordInContext> telling_words_of(const Model& model, std::size_t most);

// A place of the word in a document, letters compared without case and only whole words; empty: none.
std::optional<WordInContext::Place> place_of(std::string_view document, std::string_view word, bool stemmed);

// The beginning of a document on one line.
std::string beginning_of(std::string_view document, std::size_t most);

}  // namespace suffice
