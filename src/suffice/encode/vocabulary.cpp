// Grows, merges, sorts and saves vocabularies.
#include "suffice/encode/vocabulary.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "suffice/encode/byte_order.hpp"
#include "suffice/encode/text_threads.hpp"

namespace suffice {

WordKey Vocabulary::long_key(const char* word, std::size_t size, std::uint64_t low) {
    std::uint64_t hash = size;
    std::uint64_t part = low;
    for (std::size_t at = 0; at + 8 <= size; at += 8) {
        std::memcpy(&part, word + at, 8);
        hash = mix(hash ^ part, 0x9E3779B97F4A7C15u);
    }
    if (size >= 8) std::memcpy(&part, word + size - 8, 8);
    hash = mix(hash ^ part, 0xD6E8FEB86659FD93u);
    return hashed(hash, 0xFF000000u | static_cast<std::uint32_t>(size & 0xFFFFFF));
}

void Vocabulary::place(const WordKey& key, std::uint32_t code) {
    std::size_t at = key.hash & mask_;
    while (slots_[at].next != 0) at = (at + 1) & mask_;
    slots_[at] = {key.low, key.high, code + 1};
}

std::uint32_t Vocabulary::insert(const WordKey& key, std::string_view word) {
    const auto code = static_cast<std::uint32_t>(size());
    letters_.append(word.data(), word.size());
    ends_.push_back(letters_.size());
    keys_.push_back(key);
    if (size() * 2 <= slots_.size()) return place(key, code), code;
    // Refilling in order of appearance gives frequent words their home slots.
    slots_ = PageArray<Slot>(slots_.size() * (slots_.size() < (std::size_t{1} << 18) ? 4 : 2));
    mask_ = slots_.size() - 1;
    for (std::size_t k = 0; k < size(); ++k) {
        if (k + 16 < size()) prefetch(keys_[k + 16]);
        place(keys_[k], static_cast<std::uint32_t>(k));
    }
    return code;
}

std::vector<std::uint32_t> Vocabulary::merge(const Vocabulary& other, unsigned thread_count) {
    std::vector<std::uint32_t> code_here(other.size());
    const std::size_t parts = other.size() < 10000 ? 1 : thread_count;
    run_parts(parts, [&](std::size_t part) {
        const std::size_t last = other.size() * (part + 1) / parts;
        for (std::size_t k = other.size() * part / parts; k < last; ++k) {
            if (k + 8 < last) prefetch(other.keys_[k + 8]);
            code_here[k] = find(other.keys_[k], other.word(k));
        }
    });
    for (std::size_t k = 0; k < other.size(); ++k) {
        if (k + 8 < other.size() && code_here[k + 8] == unknown) prefetch(other.keys_[k + 8]);
        if (code_here[k] == unknown) code_here[k] = insert(other.keys_[k], other.word(k));
    }
    return code_here;
}

std::vector<std::uint32_t> Vocabulary::sorted_codes() const {
    std::vector<std::uint32_t> codes(size());
    std::iota(codes.begin(), codes.end(), 0u);
    sort_by_bytes(codes, [this](std::uint32_t code) { return word(code); });
    return codes;
}

std::size_t Vocabulary::memory_bytes() const {
    return slots_.size() * sizeof(Slot) + size() * (sizeof(WordKey) + sizeof(std::uint64_t)) + letters_.size();
}

bool operator==(const Vocabulary& a, const Vocabulary& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
        if (a.word(k) != b.word(k)) return false;
    return true;
}

void Vocabulary::write(FieldSink& sink, std::string_view name) const {
    sink.open_list(name, size());
    for (std::size_t k = 0; k < size(); ++k) sink.text({}, word(k));
    sink.close();
}

void Vocabulary::read(FieldSource& source) {
    *this = Vocabulary();
    for (std::size_t left = source.list(), k = 0; k < left && !source.failed(); ++k)
        if (add(source.text()) != k && !source.failed()) source.fail();  // a word twice
}

}  // namespace suffice
