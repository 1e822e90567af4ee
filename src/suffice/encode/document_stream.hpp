// Documents in memory on their way to a model: what TableStream is for files.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "suffice/data/stream.hpp"
#include "suffice/encode/tokenizer.hpp"
#include "suffice/encode/vocabulary.hpp"

namespace suffice {

struct LabeledDocuments {
    std::span<const std::string_view> text = {};  // without memory: missing
    std::span<const std::int32_t> label = {};     // -1: unknown; empty: all unknown
    std::span<const double> weight = {};          // empty: every document weighs one
};

// The schema has one column, of text, and the classes that the labels mean. Units hold 256 KiB of text, whatever the
// threads are. Each lane numbers the words it meets by itself; merging unites them by name.
class DocumentStream final : public Stream {
public:
    static constexpr std::size_t unit_bytes = std::size_t{256} << 10;

    // names_grow: new words are learned; else words that the schema lacks are left out. `known` is the vocabulary of
    // the schema where a caller has it at hand; else it is made.
    DocumentStream(LabeledDocuments documents, Schema names, bool names_grow, const Vocabulary* known = nullptr);

    std::unique_ptr<Drawn> drawn() const override;
    std::unique_ptr<Lane> lane() const override;
    Result<bool> draw(Drawn& unit) override;
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override;
    Result<void> rewind() override;
    std::uint64_t unit_count() const override { return first_.size() - 1; }
    std::uint64_t byte_count() const override { return total_bytes_; }
    Progress progress() const override;

private:
    LabeledDocuments documents_;
    Schema names_;
    bool names_grow_;
    Tokenizer tokenizer_;
    std::optional<Vocabulary> own_words_;
    const Vocabulary* known_ = nullptr;  // null: names grow
    std::vector<std::size_t> first_;     // document of each unit and, last, their number
    std::uint64_t total_bytes_ = 0;
    std::size_t next_ = 0;
};

}  // namespace suffice
