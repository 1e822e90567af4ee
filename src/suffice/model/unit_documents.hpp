// Text models of documents scaled to length one: a first pass counts the documents of each word, a second adds up the
// weighted words. As TfidfTransformer(norm="l2") before the model.
#pragma once
#include <string_view>

#include "suffice/model/classifier.hpp"

namespace suffice {

// What ModelState::passes says of such a model.
inline constexpr std::string_view weighed_documents = "documents scaled to length one take two passes over all of them";

// The names of the stream are known; `blank` knows them too.
Result<ModelState> fit_unit_documents(const ModelState& blank, Stream& rows, const Context& context);

}  // namespace suffice
