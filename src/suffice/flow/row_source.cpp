// Files and memory as sources of rows.
#include "suffice/flow/row_source.hpp"

#include "suffice/accumulate/held_stream.hpp"
#include "suffice/data/check_rows.hpp"
#include "suffice/data/stream_over.hpp"
#include "suffice/encode/labels.hpp"
#include "suffice/flow/where.hpp"

namespace suffice {
namespace {

class FileSource final : public RowSource {
public:
    explicit FileSource(OpenedData& opened) : opened_(opened) {}
    const Schema& schema() const override { return opened_.schema; }
    Stream& rows() override { return *opened_.stream; }
    Result<std::unique_ptr<Stream>> under(const Schema& names, const Context& context) override {
        auto known = std::make_unique<TableStream>(opened_.stream->with_names(names));
        if (auto again = known->rewind(); !again) return again.error();
        auto held = HeldStream::hold(*known, context);
        if (!held || *held) return held;
        return std::unique_ptr<Stream>(std::move(known));
    }
    std::vector<std::string> files() const override { return opened_.reader->files(); }
    std::vector<Note> notes() const override {
        std::vector<Note> all;
        if (const auto replaced = opened_.stream->replaced_count(); replaced > 0)
            all.push_back({std::to_string(replaced) + " malformed pieces of UTF-8 in the text were replaced",
                           {{"encoding", "latin-1", "use", "to read each byte as a letter"}}});
        for (Note& each : notes_of_reading(*opened_.reader)) all.push_back(std::move(each));
        return all;
    }
    Error at_row(Error error) override { return in_data(RowSource::at_row(std::move(error)), *opened_.reader); }
    Error at_refused_row(Error error, const ModelState& recipe) override {
        return in_data(RowSource::at_refused_row(std::move(error), recipe), *opened_.reader);
    }

private:
    OpenedData& opened_;
};

// A stream that keeps the codes it reads.
class CodedStream final : public StreamOver {
public:
    CodedStream(const Block& rows, EncodedTable table, std::vector<std::int32_t> codes, std::span<const double> weights,
                const Schema& names)
        : StreamOver(stream_),
          table_(std::move(table)),
          codes_(std::move(codes)),
          stream_({rows, codes_, weights, 0}, names) {}
    std::unique_ptr<Lane> lane() const override { return stream_.lane(); }
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override { return stream_.decode(unit, lane); }

private:
    EncodedTable table_;  // what the rows view, where they were words
    std::vector<std::int32_t> codes_;
    MemoryStream stream_;
};

class MemorySource final : public RowSource {
public:
    MemorySource(const Block& rows, const Table* table, const RowLabels& labels, Schema schema,
                 std::vector<std::int32_t> codes)
        : rows_(rows),
          table_(table),
          labels_(labels),
          schema_(std::move(schema)),
          first_(stream(schema_, std::move(codes))) {}
    const Schema& schema() const override { return schema_; }
    Stream& rows() override { return *first_; }
    Result<std::unique_ptr<Stream>> under(const Schema& names, const Context&) override {
        return stream(names, codes_of_labels(labels_.names, names.classes));
    }

private:
    std::unique_ptr<Stream> stream(const Schema& names, std::vector<std::int32_t> codes) const {
        EncodedTable encoded;
        if (table_ != nullptr) encoded = std::move(table_->encode(names.columns)).value();
        const Block rows = table_ != nullptr ? encoded.rows() : rows_;
        return std::make_unique<CodedStream>(rows, std::move(encoded), std::move(codes), labels_.weights, names);
    }

    Block rows_;
    const Table* table_;  // null: the block is all there is, and its levels are declared
    RowLabels labels_;
    Schema schema_;
    std::unique_ptr<Stream> first_;
};

Result<std::unique_ptr<RowSource>> memory_source(const Block& rows, const Table* table, std::vector<Column> columns,
                                                 const RowLabels& labels) {
    if (labels.names.size() != row_count(rows))
        return Error(std::to_string(labels.names.size()) + " labels for " + std::to_string(row_count(rows)) + " rows");
    EncodedLabels encoded = encode_labels(labels.names);
    Schema schema{std::move(columns), std::move(encoded.classes), labels.target};
    if (auto good = check_columns(schema); !good) return good.error();
    if (auto good = check_rows(schema, LabeledBlock{rows, {}, labels.weights, 0}); !good) return good.error();
    return std::unique_ptr<RowSource>(
        std::make_unique<MemorySource>(rows, table, labels, std::move(schema), std::move(encoded.codes)));
}

}  // namespace

Error RowSource::at_row(Error error) { return suffice::at_counted_row(std::move(error), rows()); }

Error RowSource::at_refused_row(Error error, const ModelState& recipe) {
    return suffice::at_refused_row(std::move(error), rows(), recipe);
}

std::unique_ptr<RowSource> rows_of_files(OpenedData& opened) { return std::make_unique<FileSource>(opened); }

Result<std::unique_ptr<RowSource>> rows_of_memory(const Block& rows, std::vector<Column> columns,
                                                  const RowLabels& labels) {
    for (Column& column : columns) column.declared_levels = static_cast<std::uint32_t>(column.levels.size());
    return memory_source(rows, nullptr, std::move(columns), labels);
}

Result<std::unique_ptr<RowSource>> rows_of_memory(const Table& table, const RowLabels& labels) {
    auto columns = table.columns();
    if (!columns) return columns.error();
    const auto encoded = table.encode(*columns);
    if (!encoded) return encoded.error();
    return memory_source(encoded->rows(), &table, std::move(*columns), labels);
}

}  // namespace suffice
