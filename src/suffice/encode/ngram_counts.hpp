// How often each word followed each history of up to order - 1 words: the statistic of n-gram language models.
//
// A document w1 ... wn counts as n + 1 events: each word, and the end, after as much of "begin w1 w2 ..." as the order
// allows. Counts of shorter n-grams, and of the histories a word has followed, are sums over these, so nothing else is
// kept.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "suffice/base/archive.hpp"
#include "suffice/base/result.hpp"
#include "suffice/encode/ngram_table.hpp"

namespace suffice {

class NgramCounts {
public:
    static constexpr std::size_t largest_order = 5;
    // Codes beyond any vocabulary.
    static constexpr std::uint32_t unknown = 0xFFFFFFFFu, absent = 0xFFFFFFFEu, begin = 0xFFFFFFFDu, end = 0xFFFFFFFCu;

    NgramCounts() : NgramCounts(1) {}
    explicit NgramCounts(std::size_t order) : order_(order), table_(order) {}  // 1 to largest_order

    std::size_t order() const { return order_; }
    double weight() const { return weight_; }  // of events
    double document_weight() const { return document_weight_; }

    void observe(std::span<const std::uint32_t> codes, double weight = 1);
    void merge(const NgramCounts& from);
    void remove(const NgramCounts& from);  // counts that fall to rounding become zero
    void scale(double factor);
    void recode(std::span<const std::uint32_t> code_here);  // after Vocabulary::merge
    // The same with the events in the order of their codes, as files hold them: what is summed over them has the same
    // bits wherever they came from.
    NgramCounts sorted() const;

    // visit(codes, count) for each event seen, the word last; histories shorter than the order start with `begin`.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::size_t k = 0; k < table_.size(); ++k) {
            if (count_[k] == 0) continue;
            std::span<const std::uint32_t> codes = table_[k];
            while (codes.front() == absent) codes = codes.subspan(1);
            visit(codes, count_[k]);
        }
    }
    std::size_t memory_bytes() const { return table_.memory_bytes() + count_.capacity() * sizeof(double); }

    friend bool operator==(const NgramCounts& a, const NgramCounts& b);
    void write(FieldSink& sink, std::string_view name) const;
    void read(FieldSource& source);

private:
    void add(std::span<const std::uint32_t> padded, double weight);
    std::vector<std::uint32_t> in_order() const;  // events seen

    std::size_t order_;
    NgramTable table_;  // histories padded in front with `absent`
    std::vector<double> count_;
    double weight_ = 0, document_weight_ = 0;
};

}  // namespace suffice
