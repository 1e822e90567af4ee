// Small raster pictures inside figures: pixels to a PNG in a data URI.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace suffice {

// Red, green, blue and opacity of each pixel, row by row from the top.
struct Raster {
    std::size_t columns = 0, rows = 0;
    std::span<const std::uint8_t> rgba;
};

std::string png_bytes(const Raster& raster);
std::string png_uri(const Raster& raster);  // "data:image/png;base64,..."
std::string base64(std::string_view bytes);

}  // namespace suffice
