// Counts in contiguous parts of equal bytes, one per thread, and sorts rows while writing them.
#include "suffice/encode/counted_documents.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "suffice/encode/text_count.hpp"
#include "suffice/encode/text_parts.hpp"
#include "suffice/encode/text_threads.hpp"

namespace suffice {

// The parts while they are counted. Count(reader, document, words, visit) visits the counts of one document.
struct CountedDocuments::Counting {
    CountedDocuments result;
    std::vector<Vocabulary> words;  // of each part

    template <class Count>
    static Result<Counting> run(std::span<const std::string_view> documents, const Tokenizer& tokenizer,
                                const Context& context, Count count) {
        const std::vector<std::size_t> cuts = part_cuts(documents, context.thread_count);
        const std::size_t parts = cuts.size() - 1;
        Counting all;
        all.result.parts_.resize(parts);
        all.words.resize(parts);
        std::vector<std::optional<Error>> errors(parts);
        std::vector<std::uint64_t> invalid(parts);
        run_parts(parts, [&](std::size_t p) {
            Part& part = all.result.parts_[p];
            part.first_document = cuts[p];
            part.row_size.reserve(cuts[p + 1] - cuts[p]);
            DocumentReader reader(tokenizer);
            for (std::size_t k = cuts[p]; k < cuts[p + 1] && !errors[p]; ++k) {
                const std::size_t before = part.entries.size();
                const auto take = [&part](std::uint32_t code, double value) {
                    part.entries.push_back({code, static_cast<std::int32_t>(value)});
                };
                Result<void> done = Error(ErrorKind::cancelled, "stopped.");
                if (!context.stopped()) done = count(reader, documents[k], all.words[p], take);
                if (!done) errors[p] = Error(done.error()).at_row(k + 1);
                part.row_size.push_back(part.entries.size() - before);
            }
            invalid[p] = reader.invalid_count();
        });
        for (std::size_t p = 0; p < parts; ++p) {
            if (errors[p]) return *errors[p];
            all.result.invalid_count_ += invalid[p];
        }
        std::int64_t total = 0;
        all.result.row_start_.reserve(documents.size() + 1);
        for (const Part& part : all.result.parts_)
            for (const std::size_t size : part.row_size)
                all.result.row_start_.push_back(total += static_cast<std::int64_t>(size));
        return all;
    }
};

Result<CountedDocuments> CountedDocuments::growing(std::span<const std::string_view> documents,
                                                   const Tokenizer& tokenizer, Vocabulary& vocabulary,
                                                   const Context& context) {
    auto counted = Counting::run(documents, tokenizer, context,
                                 [](DocumentReader& reader, std::string_view document, Vocabulary& words, auto visit) {
                                     return reader.for_each_count(document, words, visit);
                                 });
    if (!counted) return counted.error();
    std::size_t first = 0;
    if (vocabulary.size() == 0) vocabulary = std::move(counted->words[first++]);
    for (std::size_t p = first; p < counted->words.size(); ++p)
        counted->result.parts_[p].code_of_word = vocabulary.merge(counted->words[p], context.thread_count);
    return std::move(counted->result);
}

Result<CountedDocuments> CountedDocuments::known(std::span<const std::string_view> documents,
                                                 const Tokenizer& tokenizer, const Vocabulary& vocabulary,
                                                 const Context& context) {
    auto counted = Counting::run(documents, tokenizer, context,
                                 [&](DocumentReader& reader, std::string_view document, Vocabulary&, auto visit) {
                                     return reader.for_each_known_count(document, vocabulary, visit);
                                 });
    if (!counted) return counted.error();
    return std::move(counted->result);
}

Result<CountedDocuments> CountedDocuments::hashed(std::span<const std::string_view> documents,
                                                  const Tokenizer& tokenizer, const Context& context) {
    auto counted = Counting::run(documents, tokenizer, context,
                                 [](DocumentReader& reader, std::string_view document, Vocabulary&, auto visit) {
                                     return reader.for_each_hashed_count(document, visit);
                                 });
    if (!counted) return counted.error();
    return std::move(counted->result);
}

namespace {

// Sorts numbers by their upper half, of which `bits` bits are in use: digit by digit where that beats comparing.
class RowSorter {
public:
    explicit RowSorter(unsigned bits)
        : passes_((bits + 9) / 10), digit_(passes_ == 0 ? 0 : (bits + passes_ - 1) / passes_) {}

    void sort(std::vector<std::uint64_t>& row) {
        if (row.size() < worthwhile) {
            std::sort(row.begin(), row.end());
            return;
        }
        other_.resize(row.size());
        const std::uint64_t mask = (std::uint64_t{1} << digit_) - 1;
        for (unsigned pass = 0; pass < passes_; ++pass) {
            const unsigned shift = 32 + pass * digit_;
            first_.assign(mask + 2, 0);
            for (const std::uint64_t each : row) ++first_[(each >> shift & mask) + 1];
            for (std::size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
            for (const std::uint64_t each : row) other_[first_[each >> shift & mask]++] = each;
            row.swap(other_);
        }
    }

private:
    static constexpr std::size_t worthwhile = 160;
    unsigned passes_, digit_;
    std::vector<std::uint64_t> other_;
    std::vector<std::uint32_t> first_;
};

}  // namespace

template <class Column, class Value>
void CountedDocuments::lay_out(std::span<const std::uint32_t> column_of_code, Column* column, Value* value) const {
    run_parts(parts_.size(), [&](std::size_t p) {
        const Part& part = parts_[p];
        std::vector<std::uint32_t> to = part.code_of_word;  // the part's number -> column
        if (to.empty()) {
            to.assign(column_of_code.begin(), column_of_code.end());
        } else if (!column_of_code.empty()) {
            for (std::uint32_t& each : to) each = column_of_code[each];
        }
        std::uint32_t largest = 0;
        if (!to.empty())
            largest = *std::ranges::max_element(to);
        else
            for (const Entry& each : part.entries) largest = std::max(largest, each.code);
        RowSorter sorter(static_cast<unsigned>(std::bit_width(largest)));
        std::vector<std::uint64_t> row;
        const Entry* from = part.entries.data();
        auto at = static_cast<std::size_t>(row_start_[part.first_document]);
        for (const std::size_t size : part.row_size) {
            row.resize(size);
            for (std::size_t k = 0; k < size; ++k)
                row[k] = std::uint64_t{to.empty() ? from[k].code : to[from[k].code]} << 32 |
                         static_cast<std::uint32_t>(from[k].value);
            sorter.sort(row);
            for (const std::uint64_t each : row) {
                column[at] = static_cast<Column>(each >> 32);
                value[at++] = static_cast<Value>(static_cast<std::int32_t>(static_cast<std::uint32_t>(each)));
            }
            from += size;
        }
    });
}

template void CountedDocuments::lay_out(std::span<const std::uint32_t>, std::uint32_t*, double*) const;
template void CountedDocuments::lay_out(std::span<const std::uint32_t>, std::int32_t*, double*) const;
template void CountedDocuments::lay_out(std::span<const std::uint32_t>, std::int32_t*, std::int64_t*) const;

}  // namespace suffice
