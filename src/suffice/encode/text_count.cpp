// Turns documents into codes and counts of tokens.
#include "suffice/encode/text_count.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "suffice/encode/counted_documents.hpp"
#include "suffice/encode/hashing.hpp"

namespace suffice {

namespace {

// The name of the bucket that a token falls into, zero filled.
std::string_view bucket_name(std::string_view token, std::uint32_t bucket_count, std::array<char, 16>& into) {
    into = {'#'};
    const std::uint32_t bucket = bucket_of(token, bucket_count, false).index;
    const char* end = std::to_chars(into.data() + 1, into.data() + into.size(), bucket).ptr;
    return {into.data(), end};
}

}  // namespace

// Codes of all tokens by find(key, token). Hash, probe and use are three loops over a document, so that several cache
// misses are in flight at once.
template <class Find>
Result<std::span<const std::uint32_t>> DocumentReader::find_codes(std::string_view document,
                                                                  const Vocabulary& vocabulary, Find find) {
    if (auto done = tokenizer_.split(document, tokens_); !done) return done.error();
    const std::size_t count = tokens_.size();
    if (keys_.size() < count) keys_.resize(count), codes_.resize(count);
    if (const std::uint32_t buckets = tokenizer_.options().hash_features; buckets > 0) {
        std::array<char, 16> name;
        for (std::size_t k = 0; k < count; ++k) {
            const std::string_view bucket = bucket_name(tokens_[k], buckets, name);
            codes_[k] = find(Vocabulary::key_of_padded(bucket.data(), bucket.size()), bucket);
        }
        return std::span<const std::uint32_t>(codes_.data(), count);
    }
    for (std::size_t k = 0; k < count; ++k) {
        const std::string_view token = tokens_[k];
        keys_[k] = Vocabulary::key_of_padded(token.data(), token.size());
        vocabulary.prefetch(keys_[k]);
    }
    for (std::size_t k = 0; k < count; ++k) codes_[k] = find(keys_[k], tokens_[k]);
    return std::span<const std::uint32_t>(codes_.data(), count);
}

Result<std::span<const std::uint32_t>> DocumentReader::codes(std::string_view document, Vocabulary& growing) {
    return find_codes(document, growing,
                      [&](const WordKey& key, std::string_view token) { return growing.add(key, token); });
}

Result<std::span<const std::uint32_t>> DocumentReader::sequence(std::string_view document, const Vocabulary& known) {
    return find_codes(document, known,
                      [&](const WordKey& key, std::string_view token) { return known.find(key, token); });
}

Result<std::span<const std::uint32_t>> DocumentReader::known_codes(std::string_view document, const Vocabulary& known) {
    auto all = sequence(document, known);
    if (!all) return all;
    std::size_t kept = 0;
    for (const std::uint32_t code : *all) {
        codes_[kept] = code;
        kept += code != Vocabulary::unknown;
    }
    unknown_count_ += all->size() - kept;
    return all->first(kept);
}

Result<DocumentReader::Counts> DocumentReader::count(const Result<std::span<const std::uint32_t>>& codes) {
    if (!codes) return codes.error();
    std::uint32_t largest = 0;
    for (const std::uint32_t code : *codes) largest = std::max(largest, code);
    if (!codes->empty() && largest >= seen_.size()) seen_.grow(std::size_t{largest} + 1, seen_.size());
    if (distinct_.size() < codes->size()) distinct_.resize(codes->size());
    if (counts_.size() < codes->size()) counts_.resize(codes->size());
    std::uint32_t *const seen = seen_.data(), *const distinct = distinct_.data();
    std::size_t different = 0;
    for (const std::uint32_t code : *codes) {  // whether a word is new to the document cannot be foretold: no branch
        distinct[different] = code;
        different += seen[code]++ == 0;
    }
    const bool binary = tokenizer_.options().binary;
    for (std::size_t k = 0; k < different; ++k) {
        counts_[k] = binary ? 1.0 : static_cast<double>(seen[distinct[k]]);
        seen[distinct[k]] = 0;
    }
    return Counts{{distinct, different}, {counts_.data(), different}};
}

Result<void> DocumentReader::hash(std::string_view document) {
    const TextOptions& options = tokenizer_.options();
    if (options.hash_features == 0) return Error(ErrorKind::usage, "hashing needs a number of features of at least 1.");
    if (auto done = tokenizer_.split(document, tokens_); !done) return done.error();
    seen_.grow(options.hash_features, seen_.size());
    sum_.grow(options.hash_features, sum_.size());
    distinct_.clear();
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
        const SignedBucket bucket = bucket_of(tokens_[k], options.hash_features, options.alternate_sign);
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
