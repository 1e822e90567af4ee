// How often each class used each word, and in how many of its documents. Memory follows the pairs seen, not classes
// times words: one open-addressing table over (class, word).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "suffice/base/archive.hpp"
#include "suffice/data/schema.hpp"

namespace suffice {

class TokenTable {
public:
    struct Entry {
        std::uint32_t of_class = 0, word = 0;
        double count = 0, documents = 0;
        bool operator==(const Entry&) const = default;
    };

    void add(std::uint32_t of_class, std::uint32_t word, double count, double documents) {
        if (2 * (used_ + 1) > slots_.size()) reserve(2 * used_ + 512);
        const std::uint64_t key = key_of(of_class, word);
        std::size_t at = home(key);
        while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & mask_;
        used_ += slots_[at].key == 0;
        slots_[at].key = key;
        slots_[at].count += count;
        slots_[at].documents += documents;
    }
    void prefetch(std::uint32_t of_class, std::uint32_t word) const {
        if (!slots_.empty()) __builtin_prefetch(&slots_[home(key_of(of_class, word))], 1);
    }

    void merge(const TokenTable& from);
    void remove(const TokenTable& rows);  // what falls to rounding becomes zero
    void scale(double factor);
    void recode(const CodeMap& classes, const CodeMap& words);

    // In no order that means anything.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const Slot& slot : slots_)
            if (slot.key != 0 && (slot.count != 0 || slot.documents != 0)) visit(entry_of(slot));
    }
    std::vector<Entry> sorted() const;  // by class, then by word
    bool valid(std::size_t class_count, std::size_t word_count) const;

    friend bool operator==(const TokenTable& a, const TokenTable& b) { return a.sorted() == b.sorted(); }
    void write(FieldSink& sink, std::string_view name) const;
    void read(FieldSource& source);

private:
    struct Slot {
        std::uint64_t key = 0;  // 0: free
        double count = 0, documents = 0;
    };
    static std::uint64_t key_of(std::uint32_t of_class, std::uint32_t word) {
        return (std::uint64_t{of_class} << 32 | word) + 1;
    }
    static Entry entry_of(const Slot& slot) {
        const std::uint64_t pair = slot.key - 1;
        return {static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair), slot.count, slot.documents};
    }
    std::size_t home(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15u >> 20) & mask_; }
    void reserve(std::size_t count);

    std::vector<Slot> slots_;
    std::size_t mask_ = 0, used_ = 0;
};

}  // namespace suffice
