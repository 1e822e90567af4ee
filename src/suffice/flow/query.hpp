// Documents ranked by how likely each would be to produce a query: retrieval by language models.
//
// Ponte and Croft (1998); smoothing after Zhai and Lafferty, "A study of smoothing methods for language models applied
// to information retrieval", 2004:
//   Dirichlet       p(w | d) = (n(w, d) + mu p(w)) / (|d| + mu)
//   Jelinek-Mercer  p(w | d) = (1 - lambda) n(w, d) / |d| + lambda p(w)
// p(w) is the share of the word in all that the model has seen.
#pragma once
#include <string>
#include <vector>

#include "suffice/flow/open_data.hpp"

namespace suffice {

struct QueryOptions {
    enum class Smoothing : std::uint8_t { dirichlet, jelinek_mercer };
    ApplyOptions apply = {};
    Smoothing smoothing = Smoothing::dirichlet;
    double amount = 2000;   // mu, or lambda from 0 to 1
    std::size_t most = 10;  // documents
};

struct RankedDocument {
    std::uint64_t row = 0;  // from one
    double log_likelihood = 0;
    std::string text;  // its beginning, on one line
};

struct Ranking {
    std::vector<RankedDocument> documents;  // best first, ties in the order of the rows
    std::vector<Note> notes;
};

// Words of the query that the model has never seen tell nothing, and are named in a note.
Result<Ranking> rank_documents(const Model& model, const std::vector<std::string>& files, std::string_view query,
                               const QueryOptions& options, const Context& context = {});

}  // namespace suffice
