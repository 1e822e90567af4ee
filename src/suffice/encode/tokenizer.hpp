// Documents into tokens, exactly as scikit-learn's analyzers do: lower case, accents, words or characters, stop words,
// n-grams.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "suffice/base/result.hpp"
#include "suffice/encode/text_options.hpp"
#include "suffice/encode/token_buffer.hpp"
#include "suffice/encode/vocabulary.hpp"

namespace suffice {

// Const once made; any number of threads may use one, each with its own TokenBuffer.
class Tokenizer {
public:
    static constexpr std::size_t largest_document = std::size_t{256}
                                                    << 20;  // bytes; positions are 32 bits after expansion

    static Result<Tokenizer> make(TextOptions options);
    const TextOptions& options() const { return options_; }

    // Fails on a document that is too large, and on malformed bytes where they are refused.
    Result<void> split(std::string_view document, TokenBuffer& into) const;

    template <class Sink>
    Result<void> tokens(std::string_view document, Sink&& sink) const {
        TokenBuffer buffer;
        if (auto done = split(document, buffer); !done) return done.error();
        for (std::size_t k = 0; k < buffer.size(); ++k) sink(buffer[k]);
        return {};
    }

private:
    // What a code point below U+0800 becomes, ready to be copied.
    struct alignas(8) Ready {
        std::array<char, 4> bytes;
        std::uint8_t size;
        bool is_word;
        bool is_special;  // depends on its neighbours or becomes several
    };
    struct Tables {
        std::array<Ready, 0x800> ready;
        Vocabulary stop_words;
    };
    class Reader;

    explicit Tokenizer(TextOptions options);
    void keep_words(TokenBuffer& tokens) const;
    void join(TokenBuffer& tokens) const;
    void word_ngrams(TokenBuffer& tokens) const;
    void character_ngrams(TokenBuffer& tokens, std::size_t text_size) const;
    void characters_in_words(TokenBuffer& tokens, std::size_t text_size) const;

    TextOptions options_;
    std::shared_ptr<const Tables> tables_;
};

}  // namespace suffice
