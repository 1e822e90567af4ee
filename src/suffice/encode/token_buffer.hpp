// The tokens of one document and the memory to make them; one per thread, used again for each document.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "suffice/encode/stem.hpp"
#include "suffice/encode/text_memory.hpp"

namespace suffice {

class TokenBuffer {
public:
    std::size_t size() const { return size_; }
    // 64 bytes past any token are readable.
    std::string_view operator[](std::size_t k) const { return {text_.data() + begin_[k], end_[k] - begin_[k]}; }
    // Malformed sequences in all documents so far.
    std::uint64_t invalid_count() const { return invalid_count_; }

private:
    friend class Tokenizer;
    PageArray<char> text_, other_text_;
    PageArray<std::uint32_t> begin_, end_, letter_;  // letter_: where each code point begins, for character n-grams
    std::size_t size_ = 0;
    std::uint64_t invalid_count_ = 0;
    std::optional<Stemmer> stemmer_;
};

}  // namespace suffice
