// Counts of tokens: of one document at a time, of many as a sparse matrix, or per class without any matrix. Results do
// not depend on the number of threads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/base/result.hpp"
#include "suffice/data/block.hpp"
#include "suffice/encode/text_memory.hpp"
#include "suffice/encode/token_buffer.hpp"
#include "suffice/encode/tokenizer.hpp"
#include "suffice/encode/vocabulary.hpp"

namespace suffice {

// One row per document, sorted by code, no code twice.
struct TokenCounts {
    std::vector<std::int64_t> row_start = {0};
    std::vector<std::uint32_t> column;
    std::vector<double> value;
    std::size_t column_count = 0;
    std::uint64_t invalid_count = 0;  // malformed sequences in the documents

    SparseBlock view() const { return {row_start, column, value, column_count}; }
};

// Codes of the tokens of documents, one document at a time; one per thread. It holds references to what it is made
// from. With options().hash_features a vocabulary has the names of buckets, such as #4711, and so never more words.
class DocumentReader {
public:
    explicit DocumentReader(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

    // In the order of the text; new words are added. Valid until the next call.
    Result<std::span<const std::uint32_t>> codes(std::string_view document, Vocabulary& growing);
    // Words not in `known` are left out; how many is in unknown_count().
    Result<std::span<const std::uint32_t>> known_codes(std::string_view document, const Vocabulary& known);

    // In the order of the text, words not in `known` as Vocabulary::unknown.
    Result<std::span<const std::uint32_t>> sequence(std::string_view document, const Vocabulary& known);

    // Each different word of the document and how often it occurs, by first appearance. Valid until the next call.
    struct Counts {
        std::span<const std::uint32_t> code;
        std::span<const double> count;
    };
    Result<Counts> counts(std::string_view document, Vocabulary& growing) { return count(codes(document, growing)); }
    Result<Counts> known_counts(std::string_view document, const Vocabulary& known) {
        return count(known_codes(document, known));
    }

    // visit(code, count) for each different word of the document, by first appearance.
    template <class Visit>
    Result<void> for_each_count(std::string_view document, Vocabulary& growing, Visit&& visit) {
        return visit_counts(counts(document, growing), visit);
    }
    template <class Visit>
    Result<void> for_each_known_count(std::string_view document, const Vocabulary& known, Visit&& visit) {
        return visit_counts(known_counts(document, known), visit);
    }
    // visit(bucket, signed count) over options().hash_features buckets.
    template <class Visit>
    Result<void> for_each_hashed_count(std::string_view document, Visit&& visit) {
        if (auto done = hash(document); !done) return done.error();
        for (const std::uint32_t bucket : distinct_) {
            visit(bucket,
                  tokenizer_.options().binary ? 1.0 : sum_[bucket]);  // also where signs cancelled, as scikit-learn
            sum_[bucket] = 0;
            seen_[bucket] = 0;
        }
        return {};
    }

    std::uint64_t unknown_count() const { return unknown_count_; }  // since it was made
    std::uint64_t invalid_count() const { return tokens_.invalid_count(); }

private:
    template <class Find>
    Result<std::span<const std::uint32_t>> find_codes(std::string_view document, const Vocabulary& vocabulary,
                                                      Find find);
    Result<Counts> count(const Result<std::span<const std::uint32_t>>& codes);
    Result<void> hash(std::string_view document);

    template <class Visit>
    static Result<void> visit_counts(const Result<Counts>& counts, Visit&& visit) {
        if (!counts) return counts.error();
        for (std::size_t k = 0; k < counts->code.size(); ++k) visit(counts->code[k], counts->count[k]);
        return {};
    }

    const Tokenizer& tokenizer_;
    TokenBuffer tokens_;
    std::vector<WordKey> keys_;
    std::vector<std::uint32_t> codes_, distinct_;
    std::vector<double> counts_;
    PageArray<std::uint32_t> seen_;  // by code; zero between documents
    PageArray<double> sum_;          // by bucket; zero between documents
    std::uint64_t unknown_count_ = 0;
};

// New words are added to `vocabulary`, in the order of the documents; it is untouched when this fails.
Result<TokenCounts> count_documents(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                    Vocabulary& vocabulary, const Context& context = {});
// Other words are left out.
Result<TokenCounts> count_known_documents(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                          const Vocabulary& vocabulary, const Context& context = {});
// Over options().hash_features buckets.
Result<TokenCounts> hash_documents(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                   const Context& context = {});

}  // namespace suffice
