// Writes PNG (ISO/IEC 15948) with zlib.
#include "suffice/report/png.hpp"

#include <string_view>
#include <zlib.h>

namespace suffice {
namespace {

void append_big_endian(std::string& bytes, std::uint32_t value) {
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift & 0xFF);
}

void append_chunk(std::string& png, std::string_view type, std::string_view content) {
    append_big_endian(png, static_cast<std::uint32_t>(content.size()));
    std::string body(type);
    body += content;
    png += body;
    append_big_endian(png, static_cast<std::uint32_t>(
                               crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()))));
}

}  // namespace

std::string png_bytes(const Raster& raster) {
    // Each row as differences to the row above (filter 2): neighbours are alike, so that compresses well.
    const std::size_t stride = 4 * raster.columns;
    std::string filtered;
    for (std::size_t row = 0; row < raster.rows; ++row) {
        filtered += '\2';
        for (std::size_t k = 0; k < stride; ++k) {
            const std::uint8_t above = row == 0 ? 0 : raster.rgba[(row - 1) * stride + k];
            filtered += static_cast<char>(static_cast<std::uint8_t>(raster.rgba[row * stride + k] - above));
        }
    }
    uLongf size = compressBound(static_cast<uLong>(filtered.size()));
    std::string packed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(filtered.data()),
              static_cast<uLong>(filtered.size()), Z_BEST_COMPRESSION);
    packed.resize(size);
    std::string header;
    append_big_endian(header, static_cast<std::uint32_t>(raster.columns));
    append_big_endian(header, static_cast<std::uint32_t>(raster.rows));
    header += std::string("\10\6\0\0\0", 5);  // eight bits each of red, green, blue, opacity; not interlaced
    std::string png = "\x89PNG\r\n\x1a\n";
    append_chunk(png, "IHDR", header);
    append_chunk(png, "IDAT", packed);
    append_chunk(png, "IEND", "");
    return png;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < count ? static_cast<std::uint8_t>(bytes[at + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k) text += k <= count ? letters[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

std::string png_uri(const Raster& raster) { return "data:image/png;base64," + base64(png_bytes(raster)); }

}  // namespace suffice
