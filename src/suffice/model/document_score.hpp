// Scores documents in memory, with no matrix in between.
#pragma once
#include <functional>
#include <span>
#include <string_view>

#include "suffice/encode/vocabulary.hpp"
#include "suffice/model/predictor.hpp"

namespace suffice {

// `model` has one column, of text, and `words` are its vocabulary. sink(first document) says where the scores of a unit
// go; threads call it.
Result<void> score_documents(const Predictor& model, const Vocabulary& words,
                             std::span<const std::string_view> documents,
                             const std::function<ScoreSink(std::size_t)>& sink, const Context& context);

}  // namespace suffice
