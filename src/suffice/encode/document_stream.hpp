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
// threads are.
class DocumentStream final : public Stream {
public:
    static constexpr std::size_t unit_bytes = std::size_t{256} << 10;

    // Words that the schema lacks are left out. `known` is the vocabulary of the schema where a caller has it at hand;
    // else it is made. names_grow: units come without their words, since who learns them keeps the vocabulary.
    DocumentStream(LabeledDocuments documents, Schema names, bool names_grow, const Vocabulary* known = nullptr);

    std::unique_ptr<Drawn> drawn() const override;
    std::unique_ptr<Lane> lane() const override;
    Result<bool> draw(Drawn& unit) override;
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override;
    Result<void> rewind() override;
    std::uint64_t unit_count() const override { return first_.size() - 1; }
    std::uint64_t byte_count() const override { return total_bytes_; }
    Progress progress() const override;

    // Any unit, from 0 to unit_count() - 1, by any thread.
    Result<LabeledBlock> decode(std::size_t unit, Lane& lane) const;
    const LabeledDocuments& documents() const { return documents_; }
    const Tokenizer& tokenizer() const { return tokenizer_; }

private:
    Result<LabeledBlock> decode(std::size_t first, std::size_t count, Lane& lane) const;

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
