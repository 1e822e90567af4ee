// Decodes UTF-8 as Python does and takes accents off code points.
#include "suffice/encode/unicode.hpp"

#include <algorithm>

namespace suffice::unicode {

std::size_t strip_accents(char32_t code, char32_t* out) {
    constexpr char32_t first_syllable = 0xAC00, syllable_count = 11172, vowel_count = 21, tail_count = 28;
    if (const char32_t syllable = code - first_syllable; syllable < syllable_count) {  // Hangul, by arithmetic
        out[0] = 0x1100 + syllable / (vowel_count * tail_count);
        out[1] = 0x1161 + syllable % (vowel_count * tail_count) / tail_count;
        out[2] = 0x11A7 + syllable % tail_count;
        return syllable % tail_count == 0 ? 2 : 3;
    }
    if ((properties(code).flags & decomposes) == 0) return out[0] = code, 1;
    const Plain* plain = std::lower_bound(plain_of, plain_of + plain_count, code,
                                          [](const Plain& each, char32_t wanted) { return each.code < wanted; });
    std::copy_n(plain_letters + plain->first, plain->count, out);
    return plain->count;
}

Decoded decode(const char* bytes, std::size_t size) {
    const auto byte = [bytes](std::size_t k) { return static_cast<char32_t>(static_cast<unsigned char>(bytes[k])); };
    const char32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1, true};
    if (lead < 0xC2 || lead > 0xF4) return {replacement, 1, false};
    const std::uint32_t wanted = 2u + (lead >= 0xE0) + (lead >= 0xF0);
    // The second byte alone decides overlong forms, surrogates and the end of the code space.
    char32_t low = 0x80, high = 0xBF;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    char32_t code = lead & (0x7Fu >> wanted);
    for (std::uint32_t k = 1; k < wanted; ++k) {
        if (k >= size || byte(k) < low || byte(k) > high) return {replacement, k, false};
        code = code << 6 | (byte(k) & 63);
        low = 0x80, high = 0xBF;
    }
    return {code, wanted, true};
}

}  // namespace suffice::unicode
