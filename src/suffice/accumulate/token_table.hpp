// How often each class used each word, and in how many of its documents. Memory follows the pairs seen, not classes
// times words: one open-addressing table of words per class, since documents often come class by class. Moved to other
// codes it is a plain list, which is smaller and quicker to run through, until a word is added again.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "suffice/base/archive.hpp"
#include "suffice/data/schema.hpp"

namespace suffice {

// How often a word occurred, and in how many documents; both weighted.
struct WordSum {
    double count = 0, documents = 0;
};

class TokenTable {
public:
    static constexpr std::uint32_t most_classes = 1u << 20;  // in a file: what is larger is no class

    struct Entry {
        std::uint32_t of_class = 0, word = 0;
        double count = 0, documents = 0;
        bool operator==(const Entry&) const = default;
    };

    // The words of one class.
    class Words {
    public:
        void add(std::uint32_t word, double count, double documents) {
            make_room(1);
            put(word, count, documents);
        }
        // A document; no counts: once each.
        void add(std::span<const std::uint32_t> words, std::span<const double> counts, double weight);
        // The sums of these words, each named once; those sums become zero.
        void add(std::span<const std::uint32_t> words, WordSum* sum_of_word);

    private:
        friend class TokenTable;
        struct Slot {
            double count = 0, documents = 0;
            std::uint32_t next = 0;  // the word plus one; 0: free
        };
        // Codes that follow one another stay together by eights: words new to a document have such codes.
        std::size_t home(std::uint32_t word) const {
            return ((word >> 3) * 0x9E3779B97F4A7C15u >> shift_) << 3 | (word & 7);
        }
        Slot& slot_of(std::uint32_t word) {
            std::size_t at = home(word);
            while (slots_[at].next != word + 1 && slots_[at].next != 0) at = at + 1 == slots_.size() ? 0 : at + 1;
            return slots_[at];
        }
        void reserve(std::size_t count);
        // For so many new words; then they may be put.
        void make_room(std::size_t count) {
            if (3 * (used_ + count) > 2 * slots_.size()) reserve(used_ + used_ / 2 + count + 31);
        }
        void put(std::uint32_t word, double count, double documents) {
            Slot& slot = slot_of(word);
            used_ += slot.next == 0;
            slot.next = word + 1;
            slot.count += count;
            slot.documents += documents;
        }
        void prefetch(std::uint32_t word) const {
            if (!slots_.empty()) __builtin_prefetch(&slots_[home(word)], 1);
        }
        void take_out(std::uint32_t word, double count, double documents);
        bool listed() const { return slots_.empty(); }
        void append(const Words& from, const CodeMap& words);
        void merge_lists(const Words& from, std::vector<std::uint32_t>& place);
        template <class Visit>
        void for_each(Visit&& visit) const {
            for (const std::vector<Slot>* slots : {&slots_, &list_})
                for (const Slot& slot : *slots)
                    if (slot.next != 0 && (slot.count != 0 || slot.documents != 0))
                        visit(slot.next - 1, slot.count, slot.documents);
        }

        std::vector<Slot> slots_, list_;  // one of them is empty
        std::size_t used_ = 0;
        unsigned shift_ = 61;
    };

    Words& of_class(std::size_t c) {
        if (c >= classes_.size()) classes_.resize(c + 1);
        return classes_[c];
    }
    void add(std::uint32_t c, std::uint32_t word, double count, double documents) {
        of_class(c).add(word, count, documents);
    }

    void merge(const TokenTable& from);
    void merge(const TokenTable& from, const CodeMap& classes, const CodeMap& words);  // as if recoded before
    void remove(const TokenTable& rows);  // what falls to rounding becomes zero
    void scale(double factor);
    void recode(const CodeMap& classes, const CodeMap& words);

    // The sum of tables of the same classes, the words of tables[k] having the codes words[k]. A class is the work of
    // one thread, and its words come out in order.
    static TokenTable united(std::span<const TokenTable> tables, std::span<const CodeMap> words, unsigned thread_count);

    // Class by class, the words in no order that means anything.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::uint32_t c = 0; c < classes_.size(); ++c)
            classes_[c].for_each(
                [&](std::uint32_t word, double count, double documents) { visit(Entry{c, word, count, documents}); });
    }
    std::vector<Entry> sorted() const;  // by class, then by word
    bool valid(std::size_t class_count, std::size_t word_count) const;

    friend bool operator==(const TokenTable& a, const TokenTable& b) { return a.sorted() == b.sorted(); }
    void write(FieldSink& sink, std::string_view name) const;
    void read(FieldSource& source);

private:
    std::vector<Words> classes_;
};

}  // namespace suffice
