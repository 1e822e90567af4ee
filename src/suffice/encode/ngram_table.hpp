// Numbers short sequences of word codes, all of one length, by first appearance. Open addressing, linear probing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace suffice {

class NgramTable {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    NgramTable() : NgramTable(1) {}
    explicit NgramTable(std::size_t length) : length_(length), slots_(64, none) {}

    std::size_t length() const { return length_; }
    std::size_t size() const { return size_; }
    std::span<const std::uint32_t> operator[](std::size_t number) const {
        return {codes_.data() + number * length_, length_};
    }
    std::uint32_t find(std::span<const std::uint32_t> codes) const { return slots_[slot_of(codes)]; }
    std::uint32_t add(std::span<const std::uint32_t> codes);
    std::size_t memory_bytes() const { return (codes_.capacity() + slots_.capacity()) * sizeof(std::uint32_t); }

private:
    std::size_t slot_of(std::span<const std::uint32_t> codes) const;
    void grow();

    std::size_t length_, size_ = 0;
    std::vector<std::uint32_t> codes_, slots_;
};

}  // namespace suffice
