// Columns of decimal text to doubles, four fields at a time.
#pragma once
#include <cstddef>
#include <cstdint>

namespace suffice::kernel {

// out[i] becomes the double nearest to text[begin[i], end[i]). Fields that are no number (empty ones too) get NaN and
// their positions are written to `failed`, in order; returns how many. `failed` has room for `count`; 64 bytes before
// `text` and after its end must be readable.
std::size_t parse_numbers(const char* text, const std::uint32_t* begin, const std::uint32_t* end, std::size_t count,
                          double* out, std::uint32_t* failed);

}  // namespace suffice::kernel
