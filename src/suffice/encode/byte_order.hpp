// Sorts words by their bytes: code point order for UTF-8.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "suffice/encode/text_threads.hpp"

namespace suffice {

// The first eight bytes as a number that orders as they do; short words are filled with zeros.
inline std::uint64_t leading_bytes(std::string_view word) {
    const char* const at = word.data();
    const std::size_t size = word.size();
    const auto byte = [at](std::size_t k) { return std::uint64_t{static_cast<unsigned char>(at[k])} << 8 * k; };
    std::uint64_t bytes = 0;
    if (size >= 8) {
        std::memcpy(&bytes, at, 8);
    } else if (size >= 4) {  // two halves that overlap: copies of a fixed size take no call
        std::uint32_t first, last;
        std::memcpy(&first, at, 4);
        std::memcpy(&last, at + size - 4, 4);
        bytes = first | std::uint64_t{last} << 8 * (size - 4);
    } else if (size > 0) {
        bytes = byte(0) | byte(size / 2) | byte(size - 1);
    }
    return __builtin_bswap64(bytes);
}

// Puts codes into the order of word(code), which any thread may call. A vocabulary has many words and little in common:
// two bytes lay them into heaps and six more decide most comparisons inside a heap.
template <class WordOf>
void sort_by_bytes(std::vector<std::uint32_t>& codes, WordOf word, unsigned thread_count = 1) {
    constexpr std::size_t heaps = std::size_t{1} << 16, worth_heaps = 4096;
    struct Start {
        std::uint64_t bytes;
        std::uint32_t code;
    };
    const auto before = [&](const Start& a, const Start& b) {
        return a.bytes != b.bytes ? a.bytes < b.bytes : word(a.code) < word(b.code);
    };
    std::vector<Start> starts(codes.size());
    const std::size_t parts = codes.size() < worth_heaps ? 1 : std::max(1u, thread_count);
    run_parts(parts, [&](std::size_t part) {
        for (std::size_t k = codes.size() * part / parts, end = codes.size() * (part + 1) / parts; k < end; ++k)
            starts[k] = {leading_bytes(word(codes[k])), codes[k]};
    });
    if (std::ranges::is_sorted(starts, before)) return;
    if (codes.size() < worth_heaps) {
        std::ranges::sort(starts, before);
    } else {
        std::vector<std::uint32_t> first(heaps + 1);
        for (const Start& each : starts) ++first[(each.bytes >> 48) + 1];
        for (std::size_t h = 0; h < heaps; ++h) first[h + 1] += first[h];
        std::vector<Start> heaped(codes.size());
        std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
        for (const Start& each : starts) heaped[next[each.bytes >> 48]++] = each;
        const auto first_heap = [&](std::size_t part) {  // each thread has the heaps that begin in its share
            const auto share = static_cast<std::uint32_t>(codes.size() * part / parts);
            return part == parts ? heaps
                                 : static_cast<std::size_t>(std::ranges::lower_bound(first, share) - first.begin());
        };
        run_parts(parts, [&](std::size_t part) {
            for (std::size_t h = part == 0 ? 0 : first_heap(part), end = first_heap(part + 1); h < end; ++h)
                if (first[h + 1] > first[h] + 1)
                    std::sort(heaped.begin() + first[h], heaped.begin() + first[h + 1], before);
        });
        starts.swap(heaped);
    }
    for (std::size_t k = 0; k < codes.size(); ++k) codes[k] = starts[k].code;
}

}  // namespace suffice
