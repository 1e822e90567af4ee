// Counts of many documents on their way to a matrix: the columns may be put in any order, and are then sorted once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/base/result.hpp"
#include "suffice/encode/tokenizer.hpp"
#include "suffice/encode/vocabulary.hpp"

namespace suffice {

// Results do not depend on the number of threads.
class CountedDocuments {
public:
    // New words are added to `vocabulary`, in the order of the documents; it is untouched when this fails.
    static Result<CountedDocuments> growing(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                            Vocabulary& vocabulary, const Context& context);
    // Other words are left out.
    static Result<CountedDocuments> known(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                          const Vocabulary& vocabulary, const Context& context);
    // Over options().hash_features buckets.
    static Result<CountedDocuments> hashed(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                           const Context& context);

    // Where each document's entries start in the matrix and, last, how many there are.
    const std::vector<std::int64_t>& row_start() const { return row_start_; }
    std::size_t entry_count() const { return static_cast<std::size_t>(row_start_.back()); }
    std::uint64_t invalid_count() const { return invalid_count_; }  // malformed sequences in the documents

    // Writes entry_count() columns and values, each row sorted by column. No columns given: a word's code is its
    // column.
    template <class Column, class Value>
    void lay_out(std::span<const std::uint32_t> column_of_code, Column* column, Value* value) const;

private:
    struct Entry {
        std::uint32_t code;
        std::int32_t value;  // a document has at most 2^28 bytes
    };
    struct Part {
        std::size_t first_document = 0;
        std::vector<std::size_t> row_size;
        std::vector<Entry> entries;               // of each document by first appearance
        std::vector<std::uint32_t> code_of_word;  // the part's own numbers of words as codes; empty: they are
    };
    struct Counting;

    std::vector<std::int64_t> row_start_ = {0};
    std::vector<Part> parts_;
    std::uint64_t invalid_count_ = 0;
};

}  // namespace suffice
