// Feeds documents in memory to a model.
#pragma once
#include "suffice/encode/document_stream.hpp"
#include "suffice/model/classifier.hpp"

namespace suffice {

// As feed for any stream, where the stream learns its words: the lanes' vocabularies are united once, by their hashes,
// and what the lanes counted moves to the sorted codes in one step.
Result<ModelState> feed_documents(ModelState state, DocumentStream& documents, const Context& context);

// EM over documents of which some have no label (-1), each of those counting `unlabeled_weight`; their words belong to
// the vocabulary too. `blank` has no words yet, and its classes, which the labels mean, are sorted and all have
// documents.
Result<Classifier> fit_semi_supervised(const ModelState& blank, LabeledDocuments documents, double unlabeled_weight,
                                       const Context& context);

// The same for documents scaled to length one; those without a label are left out.
Result<ModelState> fit_unit_documents(const ModelState& blank, LabeledDocuments documents, const Context& context);

}  // namespace suffice
