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
    const auto take = [this](std::uint32_t word, double count) {
        word_.push_back(word);
        count_.push_back(count);
    };
    return known != nullptr ? reader_.for_each_known_count(document, *known, take)
                            : reader_.for_each_count(document, growing, take);
}

}  // namespace suffice
