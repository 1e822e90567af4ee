// Reads documents by the rules of Python's str.lower() and \w, and of scikit-learn's strip_accents.
#include "suffice/encode/token_reader.hpp"

#include <algorithm>
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
    const std::size_t size = document_.size();
    reserve(size);
    for (std::size_t at = 0; at < size;) {
        at += kernel::scan_words(document_.data() + at, size - at, options_.lowercase, scan_);
        at = read_others(at);
    }
    if (scan_.inside) scan_.end[scan_.end_count++] = static_cast<std::uint32_t>(scan_.text_size);
    return scan_.text_size;
}

// Code points of one or two bytes that are ready, until another comes or only ASCII has come for a while. Everything is
// local and nothing branches on where words begin and end or which size comes next: neither can be foretold.
std::size_t Tokenizer::Reader::read_short(std::size_t at, std::size_t& plain) {
    const std::size_t size = document_.size(), spare = scan_.text_size + longest + kernel::scan_slack;
    const std::size_t room = text_->size() < spare ? 0 : (text_->size() - spare) / Ready{}.bytes.size();
    const auto* byte = reinterpret_cast<const unsigned char*>(document_.data()) + at;
    const unsigned char* const first = byte;
    const unsigned char* const last = byte + std::min(room, size - at - 1);  // a second byte can be looked at
    const Ready* const table = tables_.ready.data();
    const std::uint32_t one_each = options_.encoding != TextEncoding::utf_8;
    char* const text = scan_.text;
    char* out = text + scan_.text_size;
    std::uint32_t *begin = scan_.begin + scan_.begin_count, *end = scan_.end + scan_.end_count;
    bool inside = scan_.inside;
    std::size_t ascii = plain;
    while (byte < last && ascii < patience) {
        const std::uint32_t lead = byte[0], second = byte[1];
        const std::uint32_t is_ascii = lead < 0x80, is_one = is_ascii | one_each;
        const std::uint32_t is_two = (lead - 0xC2 < 0xE0 - 0xC2) & ((second & 0xC0) == 0x80);
        const std::uint32_t code = (lead & (0 - is_one)) | (((lead & 31) << 6 | (second & 63)) & (is_one - 1));
        const Ready ready = table[code];  // of other leads: of some code, to no harm
        if (((is_one | is_two) & static_cast<std::uint32_t>(!ready.is_special)) == 0) break;
        *begin = *end = static_cast<std::uint32_t>(out - text);
        begin += ready.is_word & !inside;
        end += !ready.is_word & inside;
        inside = ready.is_word;
        std::memcpy(out, ready.bytes.data(), ready.bytes.size());
        out += ready.size;
        byte += 2 - is_one;
        ascii = (ascii + 1) & (std::size_t{0} - is_ascii);
    }
    plain = ascii;
    scan_.text_size = static_cast<std::size_t>(out - text);
    scan_.begin_count = static_cast<std::size_t>(begin - scan_.begin);
    scan_.end_count = static_cast<std::size_t>(end - scan_.end);
    scan_.inside = inside;
    return at + static_cast<std::size_t>(byte - first);
}

// Likewise those of one or three bytes that stay as they are, but for capitals of ASCII.
std::size_t Tokenizer::Reader::read_three(std::size_t at, std::size_t& plain) {
    const std::size_t size = document_.size(), spare = scan_.text_size + longest + kernel::scan_slack;
    const std::size_t room = text_->size() < spare ? 0 : text_->size() - spare;
    const auto* byte = reinterpret_cast<const unsigned char*>(document_.data()) + at;
    const unsigned char* const first = byte;
    const unsigned char* const last = byte + std::min(room, size - at - std::min<std::size_t>(size - at, 3));
    const std::int32_t lowers = options_.lowercase ? -1 : 0;
    char* const text = scan_.text;
    char* out = text + scan_.text_size;
    std::uint32_t *begin = scan_.begin + scan_.begin_count, *end = scan_.end + scan_.end_count;
    bool inside = scan_.inside;
    std::size_t ascii = plain;
    while (byte < last && ascii < patience) {  // four bytes can be looked at
        const std::uint32_t lead = byte[0], second = byte[1], third = byte[2];
        const std::uint32_t is_ascii = lead < 0x80, other = is_ascii - 1;  // other: all bits, or none
        const std::uint32_t three = (lead & 15) << 12 | (second & 63) << 6 | (third & 63);
        const std::uint32_t odd = (lead >> 4 ^ 0xE) | ((second & 0xC0) ^ 0x80) | ((third & 0xC0) ^ 0x80) |
                                  static_cast<std::uint32_t>(three < 0x800) |
                                  static_cast<std::uint32_t>(three - 0xD800 < 0x800);
        const unicode::Properties& known = unicode::properties((lead & ~other) | (three & other));
        if (((odd | static_cast<std::uint32_t>(known.to_lower)) & other) != 0) break;
        const bool is_word = (known.flags & unicode::word) != 0;
        *begin = *end = static_cast<std::uint32_t>(out - text);
        begin += is_word & !inside;
        end += !is_word & inside;
        inside = is_word;
        std::memcpy(out, byte, 4);
        *out = static_cast<char>(lead + static_cast<std::uint32_t>(known.to_lower & lowers));
        const std::size_t step = 3 - 2 * is_ascii;
        out += step;
        byte += step;
        ascii = (ascii + 1) & (std::size_t{0} - is_ascii);
    }
    plain = ascii;
    scan_.text_size = static_cast<std::size_t>(out - text);
    scan_.begin_count = static_cast<std::size_t>(begin - scan_.begin);
    scan_.end_count = static_cast<std::size_t>(end - scan_.end);
    scan_.inside = inside;
    return at + static_cast<std::size_t>(byte - first);
}

// Code points one by one, until only ASCII has come for a while.
std::size_t Tokenizer::Reader::read_others(std::size_t at) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(document_.data());
    const std::size_t size = document_.size();
    const bool is_utf_8 = options_.encoding == TextEncoding::utf_8;
    const bool keeps_accents = options_.accents == Accents::keep;
    kernel::WordScan scan = scan_;  // a local, so that writing text does not force it to memory
    const auto is_tail = [bytes](std::size_t k) { return (bytes[k] & 0xC0) == 0x80; };
    for (std::size_t plain = 0; at < size && plain < patience;) {
        if (!is_utf_8 || (bytes[at] >= 0xC2 && bytes[at] < 0xF0 && (keeps_accents || bytes[at] < 0xE0))) {
            scan_ = scan;
            at = !is_utf_8 || bytes[at] < 0xE0 ? read_short(at, plain) : read_three(at, plain);
            scan = scan_;
            if (at >= size || plain >= patience) break;
        }
        if (scan.text_size + (size - at) + longest + kernel::scan_slack > text_->size()) {
            scan_ = scan;
            reserve(size - at);
            scan = scan_;
        }
        char32_t code = bytes[at];
        std::size_t next = at + 1;
        plain = code < 0x80 ? plain + 1 : 0;
        char* const out = scan.text + scan.text_size;
        if (code < 0x80 || !is_utf_8 || (code >= 0xC2 && code < 0xE0 && next < size && is_tail(next))) {
            if (code >= 0x80 && is_utf_8) code = (code & 31) << 6 | (bytes[next++] & 63u);
            if (const Ready& ready = tables_.ready[code]; !ready.is_special) [[likely]] {
                mark(scan, ready.is_word);
                std::memcpy(out, ready.bytes.data(), ready.bytes.size());
                scan.text_size += ready.size;
            } else {
                scan_ = scan;
                lower(code, at, next);
                scan = scan_;
            }
            at = next;
            continue;
        }
        scan_ = scan;
        at = read_code(at);
        scan = scan_;
    }
    scan_ = scan;
    return at;
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
    mark(scan_, (unicode::properties(code).flags & unicode::word) != 0);
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
