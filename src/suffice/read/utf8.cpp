// Checks UTF-8: eight ASCII bytes at a time, else one code point after the other.
#include "suffice/read/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace suffice {
namespace {

// Length of the code point that starts here; 0: not well formed. Unicode 15, table 3-7.
std::size_t code_point_length(const unsigned char* at, std::size_t left) {
    const auto follows = [&](std::size_t k, unsigned low = 0x80, unsigned high = 0xBF) {
        return k < left && at[k] >= low && at[k] <= high;
    };
    const unsigned first = at[0];
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const unsigned low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
        return follows(1, low, high) && follows(2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const unsigned low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
        return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t at = 0;
    while (at < text.size()) {
        std::uint64_t eight = 0;
        while (at + 8 <= text.size()) {
            std::memcpy(&eight, bytes + at, 8);
            if ((eight & 0x8080808080808080ull) != 0) break;
            at += 8;
        }
        if (at == text.size()) break;
        const std::size_t length = code_point_length(bytes + at, text.size() - at);
        if (length == 0) return at;
        at += length;
    }
    return std::string_view::npos;
}

std::string as_utf8(std::string_view text) {
    std::string sound;
    for (;;) {
        const std::size_t wrong = find_invalid_utf8(text);
        sound += text.substr(0, wrong);
        if (wrong == std::string_view::npos) return sound;
        sound += "\xEF\xBF\xBD";
        text.remove_prefix(wrong + 1);
    }
}

}  // namespace suffice
