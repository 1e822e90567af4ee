// Arrow IPC files and streams (Feather too) by record batch, of which only the rows wanted next are in memory.
#include <algorithm>
#include <utility>

#include <arrow/api.h>
#include <arrow/ipc/reader.h>

#include "suffice/read/arrow/arrow_cells.hpp"
#include "suffice/read/arrow/ipc_column.hpp"
#include "suffice/read/arrow/ordered_piece.hpp"

namespace suffice {
namespace {

// Hands Arrow one message after the other and remembers how the last record batch is packed.
class MessageQueue final : public arrow::ipc::MessageReader {
public:
    explicit MessageQueue(std::shared_ptr<IpcMessages> messages) : messages_(std::move(messages)) {}
    arrow::Result<std::unique_ptr<arrow::ipc::Message>> ReadNextMessage() override {
        ARROW_ASSIGN_OR_RAISE(auto next, messages_->message(next_++));
        packing_ = next.packing;
        return std::move(next.message);
    }
    arrow::Compression::type packing() const { return packing_; }

private:
    std::shared_ptr<IpcMessages> messages_;
    std::size_t next_ = 0;
    arrow::Compression::type packing_ = arrow::Compression::UNCOMPRESSED;
};

struct NamedColumn {
    std::string file, name;
    std::unique_ptr<IpcColumn> column;

    Result<void> fill(std::int64_t first, std::int64_t count, const ArrowPiece::Wish& wish) const {
        auto values = column->rows(first, count);
        if (!values.ok()) return arrow_error(values.status(), file).in_column(name);
        *wish.memory = std::move(*values);
        return wish.kind ? fill_cells(name, **wish.memory, *wish.kind, *wish.cells) : Result<void>();
    }
};

class PackedColumn final : public OrderedColumn {
public:
    explicit PackedColumn(NamedColumn column) : column_(std::move(column)) {}
    Result<void> read(std::int64_t row_count, const ArrowPiece::Wish& wish) override {
        return column_.fill(std::exchange(next_row_, next_row_ + row_count), row_count, wish);
    }

private:
    NamedColumn column_;
    std::int64_t next_row_ = 0;
};

// A record batch that is not packed: threads read what they need from wherever it lies.
class PlainPiece final : public ArrowPiece {
public:
    PlainPiece(std::shared_ptr<IpcMessages> messages, std::vector<NamedColumn> columns, std::int64_t row_count)
        : messages_(std::move(messages)), columns_(std::move(columns)), row_count_(row_count) {}
    std::int64_t row_count() const override { return row_count_; }
    Result<void> fill(const Batch& batch, std::span<const Wish> wishes) override {
        for (std::size_t k = 0; k < wishes.size(); ++k)
            if (auto filled = columns_[k].fill(batch.first_row, batch.row_count, wishes[k]); !filled) return filled;
        return {};
    }

private:
    std::shared_ptr<IpcMessages> messages_;  // which the columns read from
    std::vector<NamedColumn> columns_;
    std::int64_t row_count_;
};

class IpcFile final : public ArrowFile {
public:
    static arrow::Result<std::unique_ptr<ArrowFile>> open(const ArrowSource& source, bool has_footer) {
        auto made = std::make_unique<IpcFile>();
        made->name_ = source.name;
        ARROW_ASSIGN_OR_RAISE(made->messages_, IpcMessages::open(source.path, has_footer));
        ARROW_RETURN_NOT_OK(made->start({}));
        made->schema_ = made->reader_->schema();
        if (!made->schema_->is_native_endian())
            return arrow::Status::Invalid("its bytes are in the other order; save it anew on a machine like this one");
        return made;
    }
    const arrow::Schema& schema() const override { return *schema_; }
    int piece_count() const override { return messages_->batch_count(); }

    Result<std::shared_ptr<ArrowPiece>> open_piece(int piece, const std::vector<int>& fields, std::int64_t) override {
        std::vector<int> sorted = fields;
        std::ranges::sort(sorted);
        const auto batch = batch_of(piece, sorted);
        if (!batch.ok()) return arrow_error(batch.status(), name_);
        std::vector<NamedColumn> columns;
        for (const int field : fields) {
            const auto place = static_cast<int>(std::ranges::find(sorted, field) - sorted.begin());
            const std::string& name = schema_->field(field)->name();
            auto column = IpcColumn::open(*messages_, (*batch)->column_data(place), queue_->packing());
            if (!column.ok()) return arrow_error(column.status(), name_).in_column(name);
            columns.push_back({name_, name, std::move(*column)});
        }
        const std::int64_t rows = (*batch)->num_rows();
        if (queue_->packing() == arrow::Compression::UNCOMPRESSED)
            return std::shared_ptr<ArrowPiece>(std::make_shared<PlainPiece>(messages_, std::move(columns), rows));
        std::vector<std::unique_ptr<OrderedColumn>> ordered;
        std::vector<std::string> names;
        for (NamedColumn& column : columns) {
            names.push_back(column.name);
            ordered.push_back(std::make_unique<PackedColumn>(std::move(column)));
        }
        return std::shared_ptr<ArrowPiece>(
            std::make_shared<OrderedPiece>(name_, std::move(names), rows, std::move(ordered), messages_));
    }

private:
    arrow::Status start(std::vector<int> included) {
        auto options = arrow::ipc::IpcReadOptions::Defaults();
        options.included_fields = included;
        options.ensure_native_endian = false;  // would look into record batches, which are not in memory
        auto queue = std::make_unique<MessageQueue>(messages_);
        queue_ = queue.get();
        next_batch_ = 0;
        included_ = std::move(included);
        ARROW_ASSIGN_OR_RAISE(reader_, arrow::ipc::RecordBatchStreamReader::Open(std::move(queue), options));
        return {};
    }
    // Record batches come in order, since a stream may replace its dictionaries on the way.
    arrow::Result<std::shared_ptr<arrow::RecordBatch>> batch_of(int piece, const std::vector<int>& fields) {
        if (fields != included_ || piece < next_batch_) ARROW_RETURN_NOT_OK(start(fields));
        std::shared_ptr<arrow::RecordBatch> batch;
        for (; next_batch_ <= piece; ++next_batch_) ARROW_RETURN_NOT_OK(reader_->ReadNext(&batch));
        if (batch == nullptr) return arrow::Status::Invalid("it ends before its record batches do");
        return batch;
    }

    std::string name_;
    std::shared_ptr<IpcMessages> messages_;
    std::shared_ptr<arrow::Schema> schema_;
    std::shared_ptr<arrow::RecordBatchReader> reader_;
    const MessageQueue* queue_ = nullptr;  // of the reader
    std::vector<int> included_;            // fields that the reader brings
    int next_batch_ = 0;
};

}  // namespace

Result<std::unique_ptr<ArrowFile>> open_ipc(const ArrowSource& source, bool has_footer) {
    auto opened = IpcFile::open(source, has_footer);
    if (!opened.ok()) return arrow_error(opened.status(), source.name);
    return std::move(*opened);
}

}  // namespace suffice
