// Words and their codes, numbered by first appearance. Open addressing over 16-byte slots; a const Vocabulary never
// grows and may be read by any number of threads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/base/archive.hpp"
#include "suffice/encode/text_memory.hpp"

namespace suffice {

// What a slot holds of a word, and its hash. Words up to 12 bytes stand in the slot, zero filled; others (also those
// that end in a zero byte, which filling would hide) as a 64-bit hash under a byte 0xFF, which UTF-8 never has, and are
// compared in full.
struct WordKey {
    std::uint64_t low;
    std::uint32_t high, hash;
    bool is_long() const { return high >= 0xFF000000u; }
};

class Vocabulary {
public:
    static constexpr std::uint32_t unknown = 0xFFFFFFFFu;

    Vocabulary() : slots_(1 << 10), mask_((1 << 10) - 1) {}
    explicit Vocabulary(std::span<const std::string> words) : Vocabulary() {
        for (const std::string& each : words) add(each);
    }

    std::size_t size() const { return keys_.size(); }
    std::string_view word(std::size_t code) const {
        const std::uint64_t first = code == 0 ? 0 : ends_[code - 1];
        return {letters_.data() + first, static_cast<std::size_t>(ends_[code] - first)};
    }
    std::uint32_t find(std::string_view word) const { return find(key_of(word), word); }  // `unknown` when absent
    std::uint32_t add(std::string_view word) { return add(key_of(word), word); }          // its code, new or not

    // Adds the words that only `other` has, in its order, and returns the code here of each code there. As if `other`'s
    // documents had followed ours.
    std::vector<std::uint32_t> merge(const Vocabulary& other, unsigned thread_count = 1);

    // Code at each place of the alphabetical (code point) order.
    std::vector<std::uint32_t> sorted_codes() const;
    std::size_t memory_bytes() const;  // in use: for each word its letters and up to 152, of a million up to 88

    friend bool operator==(const Vocabulary& a, const Vocabulary& b);
    void write(FieldSink& sink, std::string_view name) const;
    void read(FieldSource& source);

    // The three steps of a look-up, apart, so that callers can keep many cache misses in flight.
    static WordKey key_of(std::string_view word);
    static WordKey key_of_padded(const char* word, std::size_t size);  // 16 bytes at `word` must be readable
    const WordKey& key_at(std::size_t code) const { return keys_[code]; }
    void prefetch(const WordKey& key) const { __builtin_prefetch(&slots_[key.hash & mask_]); }
    std::uint32_t find(const WordKey& key, std::string_view word) const { return find_next(key, word) - 1; }
    std::uint32_t add(const WordKey& key, std::string_view word) {
        const std::uint32_t next = find_next(key, word);
        return next != 0 ? next - 1 : insert(key, word);
    }

private:
    struct Slot {
        std::uint64_t low;
        std::uint32_t high, next;  // next: the code plus one; 0: free
    };
    PageArray<Slot> slots_;
    std::size_t mask_;
    PageList<WordKey> keys_;
    PageList<char> letters_;
    PageList<std::uint64_t> ends_;  // of each word in letters_

    static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
        const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }
    static WordKey long_key(const char* word, std::size_t size, std::uint64_t low);
    static WordKey hashed(std::uint64_t low, std::uint32_t high) {
        return {low, high, static_cast<std::uint32_t>(mix(low ^ 0x243F6A8885A308D3u, high ^ 0x13198A2E03707344u))};
    }
    std::uint32_t find_next(const WordKey& key, std::string_view text) const {
        for (std::size_t at = key.hash & mask_;; at = (at + 1) & mask_) {
            const Slot& slot = slots_[at];
            // No key is all zero, so a free slot is never taken for a word.
            if (((slot.low ^ key.low) | (slot.high ^ key.high)) == 0 && (!key.is_long() || word(slot.next - 1) == text))
                [[likely]]
                return slot.next;
            if (slot.next == 0) return 0;
        }
    }
    std::uint32_t insert(const WordKey& key, std::string_view word);
    void place(const WordKey& key, std::uint32_t code);
};

inline WordKey Vocabulary::key_of_padded(const char* word, std::size_t size) {
    std::uint64_t low, high;
    std::memcpy(&low, word, 8);
    std::memcpy(&high, word + 8, 8);
    const std::size_t in_low = size < 8 ? size : 8, in_high = size - in_low;
    low &= size == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * in_low);
    const auto last = static_cast<unsigned char>(size == 0 ? 0 : word[size - 1]);
    if (size > 12 || last == 0 || last == 0xFF) [[unlikely]]
        return long_key(word, size, low);
    high &= in_high == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * in_high);
    return hashed(low, static_cast<std::uint32_t>(high));
}

inline WordKey Vocabulary::key_of(std::string_view word) {
    if (word.size() >= 16) return key_of_padded(word.data(), word.size());
    char padded[16] = {};
    if (!word.empty()) std::memcpy(padded, word.data(), word.size());
    return key_of_padded(padded, word.size());
}

}  // namespace suffice
