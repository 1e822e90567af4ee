// Basis functions placed by a look at the rows of a stream.
#pragma once
#include "suffice/base/context.hpp"
#include "suffice/encode/basis_terms.hpp"

namespace suffice {

class Stream;

// No terms: no look.
Result<Features> fit_features(const Schema& schema, const std::vector<BasisTerm>& terms, Stream& stream,
                              const Context& context);

}  // namespace suffice
