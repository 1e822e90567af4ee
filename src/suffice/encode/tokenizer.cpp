// The stages from a document to its tokens: read, keep words, stem, n-grams of words or of characters.
#include "suffice/encode/tokenizer.hpp"

#include <algorithm>
#include <cstring>

#include "suffice/encode/token_reader.hpp"
#include "suffice/encode/unicode.hpp"

namespace suffice {
namespace {

bool is_space(char32_t code) { return (unicode::properties(code).flags & unicode::space) != 0; }

}  // namespace

Tokenizer::Tokenizer(TextOptions options) : options_(std::move(options)) {
    auto tables = std::make_shared<Tables>();
    for (char32_t code = 0; code < tables->ready.size(); ++code) tables->ready[code] = Reader::ready(code, options_);
    tables->stop_words = Vocabulary(options_.stop_words.words);
    tables_ = std::move(tables);
}

Result<Tokenizer> Tokenizer::make(TextOptions options) {
    if (auto checked = check(options); !checked) return checked.error();
    return Tokenizer(std::move(options));
}

Result<void> Tokenizer::split(std::string_view document, TokenBuffer& into) const {
    into.size_ = 0;
    if (document.size() > largest_document)
        return Error("a document of " + std::to_string(document.size()) + " bytes is too long; at most " +
                     std::to_string(largest_document) + " are read, so split it.");
    Reader reader(options_, *tables_, document);
    const std::size_t text_size = reader.read(into.text_, into.begin_, into.end_);
    into.invalid_count_ += reader.invalid_count();
    if (reader.invalid_count() > 0 && options_.invalid_bytes == InvalidBytes::refuse)
        return Error("a document is not well-formed UTF-8; name its encoding, or have bad bytes replaced.");
    switch (options_.analyzer) {
        case Analyzer::word:
            into.size_ = reader.word_count();
            keep_words(into);
            if (!options_.stemmer.empty() || options_.ngrams.most > 1) join(into);
            if (options_.ngrams.most > 1) word_ngrams(into);
            break;
        case Analyzer::characters:
            character_ngrams(into, text_size);
            break;
        case Analyzer::characters_in_words:
            characters_in_words(into, text_size);
            break;
    }
    return {};
}

void Tokenizer::keep_words(TokenBuffer& tokens) const {
    const char* text = tokens.text_.data();
    std::uint32_t* begin = tokens.begin_.data();
    std::uint32_t* end = tokens.end_.data();
    std::size_t kept = 0;
    const auto keep_if = [&](auto wanted) {
        kept = 0;
        for (std::size_t k = 0; k < tokens.size_; ++k) {
            const std::uint32_t from = begin[k], to = end[k];
            begin[kept] = from, end[kept] = to;
            kept += wanted(from, to);
        }
        tokens.size_ = kept;
    };
    if (options_.minimum_length == 2) {
        keep_if(
            [text](std::uint32_t from, std::uint32_t to) { return to - from > unicode::sequence_size(text[from]); });
    } else if (options_.minimum_length > 2) {
        keep_if([&](std::uint32_t from, std::uint32_t to) {
            std::uint32_t length = 0;
            while (from < to && length < options_.minimum_length)
                from += static_cast<std::uint32_t>(unicode::sequence_size(text[from])), ++length;
            return length == options_.minimum_length;
        });
    }
    if (const Vocabulary& stop = tables_->stop_words; stop.size() > 0)
        keep_if([&](std::uint32_t from, std::uint32_t to) {
            return stop.find(Vocabulary::key_of_padded(text + from, to - from), {text + from, to - from}) ==
                   Vocabulary::unknown;
        });
}

// Puts the tokens, stemmed where asked, one space apart, so that each run of them is one piece of text.
void Tokenizer::join(TokenBuffer& tokens) const {
    if (!options_.stemmer.empty() && (!tokens.stemmer_ || tokens.stemmer_->language() != options_.stemmer))
        tokens.stemmer_ = Stemmer::make(options_.stemmer).value();
    std::size_t size = 0;
    for (std::size_t k = 0; k < tokens.size_; ++k) {
        std::string_view token = tokens[k];
        if (!options_.stemmer.empty()) token = tokens.stemmer_->stem(token);
        tokens.other_text_.grow(size + token.size() + 1 + kernel::scan_slack, size);
        char* out = tokens.other_text_.data();
        std::memcpy(out + size, token.data(), token.size());
        tokens.begin_[k] = static_cast<std::uint32_t>(size);
        size += token.size();
        tokens.end_[k] = static_cast<std::uint32_t>(size);
        out[size++] = ' ';
    }
    tokens.text_.swap(tokens.other_text_);
}

void Tokenizer::word_ngrams(TokenBuffer& tokens) const {
    const std::size_t words = tokens.size_;
    std::size_t count = words;  // n-grams go behind the words
    for (std::size_t n = std::max(2u, options_.ngrams.least); n <= options_.ngrams.most && n <= words; ++n) {
        tokens.begin_.grow(count + words, count);
        tokens.end_.grow(count + words, count);
        for (std::size_t k = 0; k + n <= words; ++k, ++count)
            tokens.begin_[count] = tokens.begin_[k], tokens.end_[count] = tokens.end_[k + n - 1];
    }
    tokens.size_ = count;
    if (options_.ngrams.least == 1 || words == 0) return;
    tokens.size_ = count - words;
    std::memmove(tokens.begin_.data(), tokens.begin_.data() + words, tokens.size_ * sizeof(std::uint32_t));
    std::memmove(tokens.end_.data(), tokens.end_.data() + words, tokens.size_ * sizeof(std::uint32_t));
}

// Two or more spaces of any kind become one blank; a single one stays what it is.
void Tokenizer::character_ngrams(TokenBuffer& tokens, std::size_t text_size) const {
    tokens.other_text_.grow(text_size + kernel::scan_slack, 0);
    tokens.letter_.grow(text_size + 1, 0);
    const char* text = tokens.text_.data();
    char* out = tokens.other_text_.data();
    std::size_t letters = 0, size = 0, spaces = 0;
    for (std::size_t at = 0; at < text_size;) {
        const unicode::Decoded read = unicode::decode(text + at, text_size - at);
        spaces = is_space(read.code) ? spaces + 1 : 0;
        if (spaces > 1) {
            size = tokens.letter_[letters - 1];
            out[size++] = ' ';
        } else {
            tokens.letter_[letters++] = static_cast<std::uint32_t>(size);
            std::memcpy(out + size, text + at, read.size);
            size += read.size;
        }
        at += read.size;
    }
    tokens.letter_[letters] = static_cast<std::uint32_t>(size);
    tokens.text_.swap(tokens.other_text_);
    std::size_t count = 0;
    for (std::size_t n = options_.ngrams.least; n <= options_.ngrams.most && n <= letters; ++n) {
        tokens.begin_.grow(count + letters, count);
        tokens.end_.grow(count + letters, count);
        for (std::size_t k = 0; k + n <= letters; ++k, ++count)
            tokens.begin_[count] = tokens.letter_[k], tokens.end_[count] = tokens.letter_[k + n];
    }
    tokens.size_ = count;
}

// N-grams within each word and the blanks around it; a word too short for an n-gram gives itself, once.
void Tokenizer::characters_in_words(TokenBuffer& tokens, std::size_t text_size) const {
    tokens.other_text_.grow(text_size + 3 + kernel::scan_slack, 0);
    tokens.letter_.grow(text_size + 4, 0);
    const char* text = tokens.text_.data();
    char* out = tokens.other_text_.data();
    std::size_t size = 0, count = 0;
    const auto add = [&](std::size_t from, std::size_t to) {
        tokens.begin_[count] = tokens.letter_[from], tokens.end_[count++] = tokens.letter_[to];
    };
    for (std::size_t at = 0; at < text_size;) {
        unicode::Decoded read = unicode::decode(text + at, text_size - at);
        if (is_space(read.code)) {
            at += read.size;
            continue;
        }
        std::size_t letters = 0;
        if (size == 0) out[size++] = ' ';
        tokens.letter_[letters++] = static_cast<std::uint32_t>(size - 1);  // words share the blank between them
        while (true) {
            tokens.letter_[letters++] = static_cast<std::uint32_t>(size);
            std::memcpy(out + size, text + at, read.size);
            size += read.size;
            at += read.size;
            if (at == text_size) break;
            read = unicode::decode(text + at, text_size - at);
            if (is_space(read.code)) break;
        }
        tokens.letter_[letters++] = static_cast<std::uint32_t>(size);
        out[size++] = ' ';
        tokens.letter_[letters] = static_cast<std::uint32_t>(size);
        for (std::size_t n = options_.ngrams.least; n <= options_.ngrams.most; ++n) {
            tokens.begin_.grow(count + letters, count);
            tokens.end_.grow(count + letters, count);
            if (letters <= n) {
                add(0, letters);
                break;
            }
            for (std::size_t k = 0; k + n <= letters; ++k) add(k, k + n);
        }
    }
    tokens.text_.swap(tokens.other_text_);
    tokens.size_ = count;
}

}  // namespace suffice
