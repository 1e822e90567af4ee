// The documents of one text column, a unit at a time, as words and counts or, where the order tells, as the words in
// the order of the text.
#pragma once
#include <cstdint>
#include <vector>

#include "suffice/encode/text_count.hpp"

namespace suffice {

class DocumentCodes {
public:
    explicit DocumentCodes(const Tokenizer& tokenizer) : reader_(tokenizer), in_order_(tokenizer.options().in_order) {}

    // document(row) is the text of a row; one without memory is missing. `known`: the vocabulary does not grow, and
    // other words are left out, or `unknown` where the order tells. An Error names the row within the unit, from one.
    template <class Document>
    Result<void> read(std::size_t row_count, Document&& document, const Vocabulary* known, Vocabulary& growing) {
        row_start_.assign(1, 0);
        word_.clear();
        count_.clear();
        there_.assign(row_count / 8 + 1, 0);
        for (std::size_t row = 0; row < row_count; ++row) {
            const std::string_view text = document(row);
            if (text.data() != nullptr) {
                there_[row / 8] = static_cast<std::uint8_t>(there_[row / 8] | 1u << row % 8);
                if (auto done = add(text, known, growing); !done) return Error(done.error()).at_row(row + 1);
            }
            row_start_.push_back(static_cast<std::int64_t>(word_.size()));
        }
        return {};
    }
    // Good until the next read.
    SparseBlock view(std::size_t word_count) const { return {row_start_, word_, count_, word_count}; }
    std::uint64_t invalid_count() const { return reader_.invalid_count(); }  // malformed sequences in all units
    const std::uint8_t* validity() const { return there_.data(); }           // a bit per row

private:
    Result<void> add(std::string_view document, const Vocabulary* known, Vocabulary& growing);

    DocumentReader reader_;
    bool in_order_;
    std::vector<std::int64_t> row_start_;
    std::vector<std::uint32_t> word_;
    std::vector<double> count_;  // empty where the order tells
    std::vector<std::uint8_t> there_;
};

}  // namespace suffice
