// Reads documents by the rules of Python's str.lower() and \w, and of scikit-learn's strip_accents.
#include "suffice/encode/token_reader.hpp"

#include <cstring>

namespace suffice {
namespace {

// ASCII characters in a row after which the kernel is worth a call again.
constexpr std::size_t patience = 8;

}  // namespace

Tokenizer::Reader::Reader(const TextOptions& options, const Tables& tables, std::string_view document)
    : options_(options), tables_(tables), document_(document) {}

Tokenizer::Ready Tokenizer::Reader::ready(char32_t code, const TextOptions& options) {
    Ready made{};
    made.is_special = options.lowercase && (code == unicode::capital_sigma || code == unicode::dotted_capital_i);
    if (made.is_special) return made;
    if (options.lowercase) code += static_cast<char32_t>(unicode::properties(code).to_lower);
    if (options.accents != Accents::keep) {
        char32_t plain[18];
        made.is_special =
            unicode::strip_accents(code, plain) != 1 || (options.accents == Accents::ascii && plain[0] >= 0x80);
        if (made.is_special) return made;
        code = plain[0];
    }
    made.size = static_cast<std::uint8_t>(unicode::encode(code, made.bytes.data()));
    made.is_word = (unicode::properties(code).flags & unicode::word) != 0;
    return made;
}

void Tokenizer::Reader::reserve(std::size_t left) {
    text_->grow(scan_.text_size + left + longest + kernel::scan_slack, scan_.text_size);
    const std::size_t most_words = text_->size() / 2 + 2 * kernel::scan_slack;
    begin_->grow(most_words, scan_.begin_count);
    end_->grow(most_words, scan_.end_count);
    scan_.text = text_->data();
    scan_.begin = begin_->data();
    scan_.end = end_->data();
}

std::size_t Tokenizer::Reader::read(PageArray<char>& text, PageArray<std::uint32_t>& begin,
                                    PageArray<std::uint32_t>& end) {
    text_ = &text, begin_ = &begin, end_ = &end;
    const auto* bytes = reinterpret_cast<const unsigned char*>(document_.data());
    const std::size_t size = document_.size();
    const bool two_bytes = options_.encoding == TextEncoding::utf_8;
    reserve(size);
    for (std::size_t at = 0; at < size;) {
        at += kernel::scan_words(document_.data() + at, size - at, options_.lowercase, scan_);
        for (std::size_t plain = 0; at < size && plain < patience;) {
            if (scan_.text_size + (size - at) + longest + kernel::scan_slack > text.size()) reserve(size - at);
            char32_t code = bytes[at];
            std::size_t next = at + 1;
            plain = code < 0x80 ? plain + 1 : 0;
            if (two_bytes && code >= 0x80) {
                if (code < 0xC2 || code > 0xDF || next == size || (bytes[next] & 0xC0) != 0x80) {
                    at = read_code(at);
                    continue;
                }
                code = (code & 31) << 6 | (bytes[next++] & 63u);
            }
            if (const Ready& ready = tables_.ready[code]; !ready.is_special) [[likely]] {
                mark(ready.is_word);
                std::memcpy(scan_.text + scan_.text_size, ready.bytes.data(), ready.bytes.size());
                scan_.text_size += ready.size;
            } else {
                lower(code, at, next);
            }
            at = next;
        }
    }
    if (scan_.inside) scan_.end[scan_.end_count++] = static_cast<std::uint32_t>(scan_.text_size);
    return scan_.text_size;
}

std::size_t Tokenizer::Reader::read_code(std::size_t at) {
    const unicode::Decoded read = unicode::decode(document_.data() + at, document_.size() - at);
    invalid_count_ += !read.valid;
    if (read.valid || options_.invalid_bytes != InvalidBytes::ignore) lower(read.code, at, at + read.size);
    return at + read.size;
}

void Tokenizer::Reader::lower(char32_t code, std::size_t at, std::size_t next) {
    if (!options_.lowercase) return strip(code);
    if (code == unicode::capital_sigma) return strip(ends_word(at, next) ? unicode::final_sigma : unicode::small_sigma);
    if (code == unicode::dotted_capital_i) return strip(U'i'), strip(unicode::dot_above);
    strip(code + static_cast<char32_t>(unicode::properties(code).to_lower));
}

void Tokenizer::Reader::strip(char32_t code) {
    if (options_.accents == Accents::keep) return emit(code);
    char32_t plain[18];
    const std::size_t count = unicode::strip_accents(code, plain);
    for (std::size_t k = 0; k < count; ++k)
        if (options_.accents == Accents::unicode || plain[k] < 0x80) emit(plain[k]);
}

void Tokenizer::Reader::emit(char32_t code) {
    mark((unicode::properties(code).flags & unicode::word) != 0);
    scan_.text_size += unicode::encode(code, scan_.text + scan_.text_size);
}

// A capital sigma is final where a cased letter stands before it and none after it; what case ignores is skipped.
bool Tokenizer::Reader::ends_word(std::size_t at, std::size_t next) const {
    const auto flags_at = [&](std::size_t from, std::size_t& size) {
        const unicode::Decoded read = unicode::decode(document_.data() + from, document_.size() - from);
        size = read.size;
        if (!read.valid && options_.invalid_bytes == InvalidBytes::ignore) return unicode::case_ignorable;
        return unicode::properties(read.code).flags;
    };
    std::uint8_t before = 0;
    while (at > 0) {
        std::size_t first = at - 1, size = 0;
        while (first > 0 && at - first < 4 && (document_[first] & 0xC0) == 0x80) --first;
        before = flags_at(first, size);
        if (size != at - first) {  // the bytes up to here are no sequence
            first = at - 1;
            before = options_.invalid_bytes == InvalidBytes::ignore ? unicode::case_ignorable : std::uint8_t{0};
        }
        at = first;
        if ((before & unicode::case_ignorable) == 0) break;
    }
    if ((before & unicode::cased) == 0) return false;
    for (std::size_t size = 0; next < document_.size(); next += size)
        if (const std::uint8_t after = flags_at(next, size); (after & unicode::case_ignorable) == 0)
            return (after & unicode::cased) == 0;
    return true;
}

}  // namespace suffice
