// Rows of a table on their way to a model: columns matched by name, words turned into codes.
//
// Each lane numbers the words it meets by itself, so that lanes never wait for each other; merging unites them by name.
#pragma once
#include <atomic>
#include <memory>
#include <optional>

#include "suffice/base/enum_names.hpp"
#include "suffice/data/stream.hpp"
#include "suffice/encode/dates.hpp"
#include "suffice/encode/tokenizer.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

// What weights say: how often a row was seen, or how much it is worth beside others. What rows are worth is told up to
// a factor, which makes them add up to Kish's effective number of rows, (sum w)^2 / sum w^2.
enum class WeightKind : std::uint8_t { frequency, importance };
template <>
inline constexpr std::array<std::string_view, 2> enum_names<WeightKind>{"frequency", "importance"};

// Where a model's columns are found in a table. -1: not there (all its values are missing).
struct ColumnPlan {
    std::vector<std::int64_t> columns;  // of each column of the schema
    struct Dates {
        DatePart part = DatePart::none;
        bool day_first = false;
    };
    std::vector<Dates> dates = {};  // of each column of the schema that is a part of dates; empty: none is
    std::int64_t target = -1;
    std::int64_t weight = -1;
    double weight_factor = 1;
    bool one_class = false;  // every row is of the first class
    bool names_grow = true;  // false: words that the schema lacks are unseen levels, labels that it lacks are unknown

    Dates dates_of(std::size_t k) const { return k < dates.size() ? dates[k] : Dates{}; }
    bool is_date(std::size_t k) const { return dates_of(k).part != DatePart::none; }
};

struct TableLane;  // what one thread keeps; in table_stream.cpp

class TableStream final : public Stream {
public:
    // The reader must have been told what is wanted. `names` hold what is known already.
    TableStream(TableReader& reader, ColumnPlan plan, Schema names);

    // The same columns for another pass, with names that are all known by now.
    TableStream with_names(Schema names) const;
    TableStream without_labels(Schema names) const;

    // Weights become those of importance: one look at all labelled rows, before which nothing may have been drawn.
    Result<void> take_importance();

    std::unique_ptr<Drawn> drawn() const override;
    std::unique_ptr<Lane> lane() const override;
    Result<bool> draw(Drawn& unit) override;
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override;
    Error located(Error error, const Lane& lane) const override;
    Result<void> rewind() override;
    std::uint64_t unit_count() const override { return 0; }
    std::uint64_t byte_count() const override { return reader_.progress().total_bytes; }
    Progress progress() const override { return reader_.progress(); }
    RowBlocks blocks() const override { return {0, reader_.block_rows()}; }

    std::uint64_t replaced_count() const { return *replaced_; }  // malformed pieces of UTF-8 in the text so far

    static const TableUnit& unit_of(const Lane& lane);  // decoded last; good until another is drawn in its place

private:
    Result<void> view_column(std::size_t k, TableLane& lane) const;
    Result<void> view_documents(std::size_t k, const Cells& cells, TableLane& lane) const;
    void label(LabeledBlock& block, TableLane& lane) const;

    TableReader& reader_;
    ColumnPlan plan_;
    Schema names_;
    std::vector<std::optional<Tokenizer>> tokenizers_;  // of text columns
    std::shared_ptr<std::atomic<std::uint64_t>> replaced_ = std::make_shared<std::atomic<std::uint64_t>>(0);
    std::vector<std::optional<Vocabulary>> known_;  // of words, shared by the lanes where names do not grow
};

}  // namespace suffice
