// Finds runs of ASCII letters, digits and underscores, and lower-cases them, 64 bytes a step.
#pragma once
#include <cstddef>
#include <cstdint>

namespace suffice::kernel {

// Where scanning has got to. Begins and ends pair up by order; an end may still be due when a scan stops.
struct WordScan {
    char* text = nullptr;            // what was read, lower-cased where asked
    std::uint32_t* begin = nullptr;  // positions in `text`
    std::uint32_t* end = nullptr;
    std::size_t text_size = 0, begin_count = 0, end_count = 0;
    bool inside = false;  // the last character belongs to a word
};

inline constexpr std::size_t scan_slack =
    64;  // `text` needs this much room past what is read, `begin` and `end` this many entries

// Reads the ASCII bytes at the front and returns how many there were: all, or up to the first byte of another kind.
std::size_t scan_words(const char* bytes, std::size_t size, bool lower, WordScan& scan);

}  // namespace suffice::kernel
