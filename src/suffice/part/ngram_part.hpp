// The words of one text column in their order: an n-gram language model per class. The statistic is how often each word
// followed each history, so it merges and subtracts exactly; smoothing is chosen when it is estimated.
#pragma once
#include "suffice/accumulate/token_table.hpp"
#include "suffice/encode/ngram_counts.hpp"
#include "suffice/part/part.hpp"

namespace suffice {

struct NgramPart {
    static constexpr std::string_view name = "ngrams", word = name;
    static constexpr std::string_view takes = "the words of text, each given those before it";

    std::vector<std::uint32_t> columns;  // one, whose text is read in order
    std::uint32_t order = 1;             // 1 to NgramCounts::largest_order
    std::vector<NgramCounts> counts;     // by class
    static constexpr auto fields = FieldTuple{field("columns", &NgramPart::columns), field("order", &NgramPart::order),
                                              field("counts", &NgramPart::counts)};
    bool operator==(const NgramPart&) const = default;

    NgramPart() = default;
    NgramPart(const Schema& schema, std::uint32_t column, std::uint32_t of_order)
        : columns{column}, order(of_order), counts(schema.classes.size(), NgramCounts(of_order)) {}
    NgramPart blank() const;
    double weight() const;
    void observe(const Block& block, const Membership& membership, Workspace& workspace);
    void merge(const NgramPart& from);
    void remove(const NgramPart& rows);
    void scale(double factor);
    void recode(const Recoding& recoding);
    bool valid(const Schema& schema) const;
    std::size_t footprint(const Schema& schema) const;
    Result<void> refuses(const Schema& schema) const;
    std::vector<double> level_weight(std::uint32_t column, std::size_t level_count) const;
    Result<Estimated> estimate(const Settings& settings, const Schema& schema) const;

    TokenTable word_counts() const;  // of single words; their documents are not known
};

static_assert(PartKind<NgramPart> && RemovableStatistic<NgramPart> && DecayableStatistic<NgramPart>);

}  // namespace suffice
