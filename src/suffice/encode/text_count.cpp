// Turns documents into codes and counts of tokens.
#include "suffice/encode/text_count.hpp"

#include "suffice/encode/counted_documents.hpp"
#include "suffice/encode/hashing.hpp"

namespace suffice {

// Hash, probe and use are three loops over a document, so that several cache misses are in flight at once.
void DocumentReader::find_keys(const Vocabulary& vocabulary) {
    const std::size_t count = tokens_.size();
    if (keys_.size() < count) keys_.resize(count), codes_.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
        const std::string_view token = tokens_[k];
        keys_[k] = Vocabulary::key_of_padded(token.data(), token.size());
        vocabulary.prefetch(keys_[k]);
    }
}

Result<std::span<const std::uint32_t>> DocumentReader::codes(std::string_view document, Vocabulary& growing) {
    if (auto done = tokenizer_.split(document, tokens_); !done) return done.error();
    find_keys(growing);
    for (std::size_t k = 0; k < tokens_.size(); ++k) codes_[k] = growing.add(keys_[k], tokens_[k]);
    return std::span<const std::uint32_t>(codes_.data(), tokens_.size());
}

Result<std::span<const std::uint32_t>> DocumentReader::known_codes(std::string_view document, const Vocabulary& known) {
    if (auto done = tokenizer_.split(document, tokens_); !done) return done.error();
    find_keys(known);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
        codes_[kept] = known.find(keys_[k], tokens_[k]);
        kept += codes_[kept] != Vocabulary::unknown;
    }
    unknown_count_ += tokens_.size() - kept;
    return std::span<const std::uint32_t>(codes_.data(), kept);
}

void DocumentReader::gather(std::span<const std::uint32_t> codes) {
    distinct_.clear();
    for (const std::uint32_t code : codes) {
        if (code >= seen_.size()) seen_.grow(code + 1, seen_.size());
        if (seen_[code]++ == 0) distinct_.push_back(code);
    }
}

Result<void> DocumentReader::hash(std::string_view document) {
    const TextOptions& options = tokenizer_.options();
    if (options.hash_features == 0) return Error(ErrorKind::usage, "hashing needs a number of features of at least 1.");
    if (auto done = tokenizer_.split(document, tokens_); !done) return done.error();
    seen_.grow(options.hash_features, seen_.size());
    sum_.grow(options.hash_features, sum_.size());
    distinct_.clear();
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
        const Bucket bucket = bucket_of(tokens_[k], options.hash_features, options.alternate_sign);
        if (seen_[bucket.index]++ == 0) distinct_.push_back(bucket.index);
        sum_[bucket.index] += bucket.sign;
    }
    return {};
}

namespace {

TokenCounts as_matrix(const CountedDocuments& counted, std::size_t column_count) {
    TokenCounts made;
    made.row_start = counted.row_start();
    made.column.resize(counted.entry_count());
    made.value.resize(counted.entry_count());
    made.column_count = column_count;
    made.invalid_count = counted.invalid_count();
    counted.lay_out({}, made.column.data(), made.value.data());
    return made;
}

}  // namespace

Result<TokenCounts> count_documents(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                    Vocabulary& vocabulary, const Context& context) {
    const auto counted = CountedDocuments::growing(documents, tokenizer, vocabulary, context);
    if (!counted) return counted.error();
    return as_matrix(*counted, vocabulary.size());
}

Result<TokenCounts> count_known_documents(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                          const Vocabulary& vocabulary, const Context& context) {
    const auto counted = CountedDocuments::known(documents, tokenizer, vocabulary, context);
    if (!counted) return counted.error();
    return as_matrix(*counted, vocabulary.size());
}

Result<TokenCounts> hash_documents(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                   const Context& context) {
    const auto counted = CountedDocuments::hashed(documents, tokenizer, context);
    if (!counted) return counted.error();
    return as_matrix(*counted, tokenizer.options().hash_features);
}

}  // namespace suffice
