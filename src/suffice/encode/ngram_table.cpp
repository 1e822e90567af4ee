// Finds and adds sequences of codes.
#include "suffice/encode/ngram_table.hpp"

#include <algorithm>

namespace suffice {

// Where the sequence is, or the free slot where it would go.
std::size_t NgramTable::slot_of(std::span<const std::uint32_t> codes) const {
    std::uint64_t hash = 0x9E3779B97F4A7C15u;
    for (const std::uint32_t code : codes) {
        hash = (hash ^ code) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at] != none && !std::equal(codes.begin(), codes.end(), codes_.data() + slots_[at] * length_))
        at = (at + 1) & mask;
    return at;
}

std::uint32_t NgramTable::add(std::span<const std::uint32_t> codes) {
    std::size_t slot = slot_of(codes);
    if (slots_[slot] != none) return slots_[slot];
    if (2 * (size_ + 1) > slots_.size()) {
        grow();
        slot = slot_of(codes);
    }
    codes_.insert(codes_.end(), codes.begin(), codes.end());
    return slots_[slot] = static_cast<std::uint32_t>(size_++);
}

void NgramTable::grow() {
    slots_.assign(slots_.size() * 4, none);
    for (std::size_t number = 0; number < size_; ++number)
        slots_[slot_of((*this)[number])] = static_cast<std::uint32_t>(number);
}

}  // namespace suffice
