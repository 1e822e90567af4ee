// Text models of documents scaled to length one: a first pass counts the documents of each word, a second adds up the
// weighted words. As TfidfTransformer(norm="l2") before the model.
#pragma once
#include "suffice/model/classifier.hpp"

namespace suffice {

// The names of the stream are known; `blank` knows them too.
Result<ModelState> fit_unit_documents(const ModelState& blank, Stream& rows, const Context& context);

}  // namespace suffice
