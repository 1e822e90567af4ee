// Which of Arrow's formats a file is in, by its first eight bytes.
#pragma once
#include <cstdint>
#include <string_view>

namespace suffice {

enum class ArrowStart { none, parquet, file, stream, old_feather };

// A stream has no magic word. It starts with four bytes of ones, which UTF-8 never has, and the length of the schema;
// before version 0.15 with that length alone, behind which the schema's root lies a few bytes on: no text has such
// zeros.
inline ArrowStart arrow_start(std::string_view first_bytes) {
    if (first_bytes.starts_with("PAR1")) return ArrowStart::parquet;
    if (first_bytes.starts_with("ARROW1")) return ArrowStart::file;
    if (first_bytes.starts_with("FEA1")) return ArrowStart::old_feather;
    if (first_bytes.size() < 8) return ArrowStart::none;
    const auto word = [&](std::size_t at) {  // little-endian
        std::uint32_t value = 0;
        for (std::size_t k = 4; k-- > 0;) value = value << 8 | static_cast<unsigned char>(first_bytes[at + k]);
        return value;
    };
    const std::uint32_t first = word(0), second = word(4);
    constexpr std::uint32_t most = 9U << 24;  // bytes of a schema; no tab or line end in the length's last byte
    if (first == 0xFFFF'FFFFU && second > 0 && second < most) return ArrowStart::stream;
    const bool padded = first % 8 == 4 && first < 1U << 24;  // with its own four bytes to a multiple of eight
    if (padded && second > 0 && second < 64 && second % 4 == 0) return ArrowStart::stream;
    return ArrowStart::none;
}

}  // namespace suffice
