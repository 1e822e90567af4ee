// Counts tokens by document, in contiguous parts of equal bytes, one per thread.
#include "suffice/encode/text_count.hpp"

#include <algorithm>
#include <optional>

#include "suffice/encode/hashing.hpp"
#include "suffice/encode/text_parts.hpp"
#include "suffice/encode/text_threads.hpp"

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

using Entry = std::pair<std::uint32_t, double>;

struct Part {
    std::vector<std::size_t> row_size;
    std::vector<Entry> entries;
    Vocabulary words;
    std::uint64_t invalid_count = 0;
    std::optional<Error> error;
};

// Fills one part; count(reader, document, words, visit) visits the counts of a document.
template <class Count>
void fill(Part& part, std::span<const std::string_view> documents, std::size_t first_document,
          const Tokenizer& tokenizer, const Context& context, Count count) {
    DocumentReader reader(tokenizer);
    part.row_size.reserve(documents.size());
    for (std::size_t k = 0; k < documents.size(); ++k) {
        const std::size_t before = part.entries.size();
        Result<void> done = context.stopped()
                                ? Result<void>(Error(ErrorKind::cancelled, "stopped."))
                                : count(reader, documents[k], part.words, [&part](std::uint32_t code, double value) {
                                      part.entries.emplace_back(code, value);
                                  });
        if (!done) {
            part.error = done.error();
            part.error->row = first_document + k + 1;
            return;
        }
        part.row_size.push_back(part.entries.size() - before);
    }
    part.invalid_count = reader.invalid_count();
}

// Counts in parts, gives each part's codes their final numbers by code_maps(parts), and lays the rows out in order.
template <class Count, class CodeMaps>
Result<TokenCounts> count_in_parts(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                   const Context& context, Count count, CodeMaps code_maps) {
    const std::vector<std::size_t> cuts = part_cuts(documents, context.thread_count);
    std::vector<Part> parts(cuts.size() - 1);
    run_parts(parts.size(), [&](std::size_t p) {
        fill(parts[p], documents.subspan(cuts[p], cuts[p + 1] - cuts[p]), cuts[p], tokenizer, context, count);
    });
    for (const Part& part : parts)
        if (part.error) return *part.error;
    const std::vector<std::vector<std::uint32_t>> maps = code_maps(parts);

    TokenCounts result;
    result.row_start.resize(documents.size() + 1);
    std::size_t row = 0, total = 0;
    std::vector<std::size_t> starts;
    for (const Part& part : parts) {
        starts.push_back(total);
        result.invalid_count += part.invalid_count;
        for (const std::size_t size : part.row_size) result.row_start[++row] = static_cast<std::int64_t>(total += size);
    }
    result.column.resize(total);
    result.value.resize(total);
    run_parts(parts.size(), [&](std::size_t p) {
        Part& part = parts[p];
        if (!maps.empty() && !maps[p].empty())
            for (Entry& each : part.entries) each.first = maps[p][each.first];
        auto* at = part.entries.data();
        std::size_t to = starts[p];
        for (const std::size_t size : part.row_size) {
            std::sort(at, at + size, [](const Entry& a, const Entry& b) { return a.first < b.first; });
            for (std::size_t k = 0; k < size; ++k, ++to)
                result.column[to] = at[k].first, result.value[to] = at[k].second;
            at += size;
        }
    });
    return result;
}

}  // namespace

Result<TokenCounts> count_documents(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                    Vocabulary& vocabulary, const Context& context) {
    auto counted = count_in_parts(
        documents, tokenizer, context,
        [](DocumentReader& reader, std::string_view document, Vocabulary& words, auto visit) {
            return reader.for_each_count(document, words, visit);
        },
        [&](std::vector<Part>& parts) {
            std::vector<std::vector<std::uint32_t>> maps(parts.size());
            std::size_t first = 0;
            if (vocabulary.size() == 0 && !parts.empty()) vocabulary = std::move(parts[first++].words);
            for (std::size_t p = first; p < parts.size(); ++p)
                maps[p] = vocabulary.merge(parts[p].words, context.thread_count);
            return maps;
        });
    if (counted) counted->column_count = vocabulary.size();
    return counted;
}

Result<TokenCounts> count_known_documents(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                          const Vocabulary& vocabulary, const Context& context) {
    auto counted = count_in_parts(
        documents, tokenizer, context,
        [&](DocumentReader& reader, std::string_view document, Vocabulary&, auto visit) {
            return reader.for_each_known_count(document, vocabulary, visit);
        },
        [](const std::vector<Part>&) { return std::vector<std::vector<std::uint32_t>>(); });
    if (counted) counted->column_count = vocabulary.size();
    return counted;
}

Result<TokenCounts> hash_documents(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                   const Context& context) {
    auto counted = count_in_parts(
        documents, tokenizer, context,
        [](DocumentReader& reader, std::string_view document, Vocabulary&, auto visit) {
            return reader.for_each_hashed_count(document, visit);
        },
        [](const std::vector<Part>&) { return std::vector<std::vector<std::uint32_t>>(); });
    if (counted) counted->column_count = tokenizer.options().hash_features;
    return counted;
}

}  // namespace suffice
