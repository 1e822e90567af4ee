// Finds where fields and rows end in delimited text, 64 bytes a step.
#pragma once
#include <cstddef>
#include <cstdint>

namespace suffice::kernel {

// Bytes that must be readable before and after every text handed to the byte kernels.
inline constexpr std::size_t text_padding = 64;

// What to look for, what is carried from piece to piece, and what was met on the way.
struct FieldScan {
    char delimiter = ',';
    char terminator = '\n';
    char quote = '"';  // 0: quotes are ordinary bytes
    bool in_quote = false;
    bool after_close = false;                             // the last byte closed a quote
    std::size_t terminators = 0, hidden_terminators = 0;  // outside quotes, inside quotes
    bool any_quote = false;
    bool doubled = false;  // two quotes in a row: some field holds an escaped quote, or is empty
    bool malformed =
        false;  // a quote inside an unquoted field, or text after a closing quote: positions are not to be trusted
    bool non_ascii = false;
};

// Writes the positions of delimiters and terminators outside quotes of text[from, to) and returns the new end of `out`.
// `from` is where the last piece ended; `out` has room for to - from + 64 positions; a text starts at a row's start.
std::uint32_t* scan_fields(FieldScan& scan, const char* text, std::size_t from, std::size_t to, std::uint32_t* out);

// The same, byte by byte: the meaning of the above.
std::uint32_t* scan_fields_plainly(FieldScan& scan, const char* text, std::size_t from, std::size_t to,
                                   std::uint32_t* out);

}  // namespace suffice::kernel
