// What the tokenizer asks about a code point: word or space, lower case, accents. Tables are Python's
// (unicode_tables.cpp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace suffice::unicode {

inline constexpr std::uint8_t word = 1, space = 2, cased = 4, case_ignorable = 8, decomposes = 16;
inline constexpr char32_t replacement = 0xFFFD;
inline constexpr char32_t capital_sigma = 0x3A3, small_sigma = 0x3C3, final_sigma = 0x3C2;
inline constexpr char32_t dotted_capital_i = 0x130,
                          dot_above = 0x307;  // the one capital whose lower case is two code points

struct Properties {
    std::int32_t to_lower;  // add to the code point
    std::uint8_t flags;
};
// A code point that loses something when accents are stripped, and its place in plain_letters.
struct Plain {
    std::uint32_t code, first, count;
};

extern const char* const version;
extern const std::uint16_t block_of[];
extern const std::uint8_t record_of[];
extern const Properties records[];
extern const std::uint32_t plain_count;
extern const Plain plain_of[];
extern const char32_t plain_letters[];

inline const Properties& properties(char32_t code) {
    return records[record_of[static_cast<std::size_t>(block_of[code >> 7]) * 128 + (code & 127)]];
}

// Compatibility decomposition without combining marks, at most 18 code points; returns how many were written.
std::size_t strip_accents(char32_t code, char32_t* out);

// One code point of at least one byte of UTF-8. A malformed sequence is as long as Python's "replace" takes it: the
// longest prefix of a well-formed one, else one byte.
struct Decoded {
    char32_t code;
    std::uint32_t size;
    bool valid;
};
Decoded decode(const char* bytes, std::size_t size);

// Writes 1 to 4 bytes and returns how many.
inline std::size_t encode(char32_t code, char* out) {
    const auto tail = [code](int shift) { return static_cast<char>(0x80 | (code >> shift & 63)); };
    if (code < 0x80) return out[0] = static_cast<char>(code), 1;
    if (code < 0x800) return out[0] = static_cast<char>(0xC0 | code >> 6), out[1] = tail(0), 2;
    if (code < 0x10000) return out[0] = static_cast<char>(0xE0 | code >> 12), out[1] = tail(6), out[2] = tail(0), 3;
    return out[0] = static_cast<char>(0xF0 | code >> 18), out[1] = tail(12), out[2] = tail(6), out[3] = tail(0), 4;
}

// Bytes of a well-formed sequence by its first byte.
inline std::size_t sequence_size(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return 1u + (byte >= 0xC0) + (byte >= 0xE0) + (byte >= 0xF0);
}

}  // namespace suffice::unicode
