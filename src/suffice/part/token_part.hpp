// The words of one text column, counted per class: multinomial, complement and Bernoulli text models from one
// statistic. The vocabulary is the column's levels, so it grows, is sorted and is united like any other names.
#pragma once
#include "suffice/accumulate/token_table.hpp"
#include "suffice/part/part.hpp"

namespace suffice {

struct TokenPart {
    static constexpr std::string_view name = "tokens", word = name;
    static constexpr std::string_view takes = "the words of text, counted";
    // Where the table of weights would be larger, words must be left out.
    static constexpr std::uint64_t most_weight_bytes = std::uint64_t{4} << 30;

    std::vector<std::uint32_t> columns;   // one
    std::vector<double> document_weight;  // by class
    std::vector<double> log_carrier;      // by class: sum of w log n!/prod x!
    std::vector<double> length_sum;       // by class: sum of w n, n the words of a document
    std::vector<double> length_square;    // by class: sum of w n^2
    TokenTable table;
    std::vector<double> refused = {0};  // weight of documents with counts below zero or infinite
    bool unit_length = false;           // what was counted are the term weights of documents scaled to length one
    static constexpr auto fields = FieldTuple{field("columns", &TokenPart::columns),
                                              field("document_weight", &TokenPart::document_weight),
                                              field("log_carrier", &TokenPart::log_carrier),
                                              field("length_sum", &TokenPart::length_sum),
                                              field("length_square", &TokenPart::length_square),
                                              field("table", &TokenPart::table),
                                              field("refused", &TokenPart::refused),
                                              field("unit_length", &TokenPart::unit_length)};
    bool operator==(const TokenPart&) const = default;

    TokenPart() = default;
    TokenPart(const Schema& schema, std::uint32_t column)
        : columns{column},
          document_weight(schema.classes.size()),
          log_carrier(schema.classes.size()),
          length_sum(schema.classes.size()),
          length_square(schema.classes.size()) {}
    TokenPart blank() const;
    double weight() const;
    void observe(const Block& block, const Membership& membership, Workspace& workspace);
    void merge(const TokenPart& from);
    void merge(const TokenPart& from, const Recoding& recoding);
    void remove(const TokenPart& rows);
    void scale(double factor);
    void recode(const Recoding& recoding);
    bool valid(const Schema& schema) const;
    std::size_t footprint(const Schema& schema) const;
    Result<void> refuses(const Schema& schema) const;
    std::vector<double> level_weight(std::uint32_t column, std::size_t level_count) const;
    // What a count of each word is multiplied by before its document is scaled to length one: the inverse document
    // frequency, where asked for; zero for words that are left out.
    std::vector<double> term_weights(const Settings& settings, std::size_t word_count) const;
    Result<Estimated> estimate(const Settings& settings, const Schema& schema) const;
};

static_assert(PartKind<TokenPart> && RemovableStatistic<TokenPart> && DecayableStatistic<TokenPart>);

}  // namespace suffice
