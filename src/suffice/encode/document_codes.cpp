// Codes one document.
#include "suffice/encode/document_codes.hpp"

namespace suffice {

Result<void> DocumentCodes::add(std::string_view document, const Vocabulary* known, Vocabulary& growing) {
    if (in_order_) {
        const auto codes = known != nullptr ? reader_.sequence(document, *known) : reader_.codes(document, growing);
        if (!codes) return codes.error();
        word_.insert(word_.end(), codes->begin(), codes->end());
        return {};
    }
    const auto counts = known != nullptr ? reader_.known_counts(document, *known) : reader_.counts(document, growing);
    if (!counts) return counts.error();
    word_.insert(word_.end(), counts->code.begin(), counts->code.end());
    count_.insert(count_.end(), counts->count.begin(), counts->count.end());
    return {};
}

}  // namespace suffice
