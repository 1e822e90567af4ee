// Reads one document: decodes, lower-cases, strips accents and finds words. ASCII goes to the kernel, the rest code by
// code.
#pragma once
#include "suffice/encode/tokenizer.hpp"
#include "suffice/encode/unicode.hpp"
#include "suffice/kernel/text_scan.hpp"

namespace suffice {

class Tokenizer::Reader {
public:
    Reader(const TextOptions& options, const Tables& tables, std::string_view document);

    // Fills text, begins and ends; returns the size of the text.
    std::size_t read(PageArray<char>& text, PageArray<std::uint32_t>& begin, PageArray<std::uint32_t>& end);
    std::size_t word_count() const { return scan_.end_count; }
    std::uint64_t invalid_count() const { return invalid_count_; }

    static Ready ready(char32_t code, const TextOptions& options);

private:
    static constexpr std::size_t longest = 96;  // bytes that one code point may become

    std::size_t read_others(std::size_t at);
    std::size_t read_short(std::size_t at, std::size_t& plain);
    std::size_t read_three(std::size_t at, std::size_t& plain);
    std::size_t read_code(std::size_t at);
    void lower(char32_t code, std::size_t at, std::size_t next);
    void strip(char32_t code);
    void emit(char32_t code);
    // Where words begin and end cannot be foretold: no branch.
    static void mark(kernel::WordScan& scan, bool is_word) {
        scan.begin[scan.begin_count] = scan.end[scan.end_count] = static_cast<std::uint32_t>(scan.text_size);
        scan.begin_count += static_cast<std::size_t>(is_word & !scan.inside);
        scan.end_count += static_cast<std::size_t>(!is_word & scan.inside);
        scan.inside = is_word;
    }
    bool ends_word(std::size_t at, std::size_t next) const;
    void reserve(std::size_t left);

    const TextOptions& options_;
    const Tables& tables_;
    std::string_view document_;
    kernel::WordScan scan_;
    PageArray<char>* text_ = nullptr;
    PageArray<std::uint32_t>* begin_ = nullptr;
    PageArray<std::uint32_t>* end_ = nullptr;
    std::uint64_t invalid_count_ = 0;
};

}  // namespace suffice
