// Parquet files by row group and Arrow IPC files by record batch, decoded by whichever thread has time. Built as a
// library of its own, opened on first use, so that programs without such files never load Arrow.
#include <atomic>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>

#include "suffice/read/arrow/arrow_cells.hpp"

namespace suffice {
namespace {

Error arrow_error(const arrow::Status& status, const std::string& file) {
    return Error("the file cannot be read: " + status.message()).in_file(file);
}

// One file: how many pieces it has, and each piece as a table of some columns.
class ArrowFile {
public:
    virtual ~ArrowFile() = default;
    virtual std::shared_ptr<arrow::Schema> schema() const = 0;
    virtual int piece_count() const = 0;
    virtual std::int64_t piece_rows(int piece) const = 0;
    virtual arrow::Result<std::shared_ptr<arrow::Table>> read(int piece, const std::vector<int>& columns) const = 0;
    // A piece by and by, so that one of any size needs little memory.
    virtual arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> batches(int piece,
                                                                             const std::vector<int>& columns) const = 0;
};

constexpr std::int64_t batch_rows = 1 << 16;

class ParquetFile final : public ArrowFile {
public:
    static arrow::Result<std::unique_ptr<ArrowFile>> open(const std::string& name) {
        auto made = std::make_unique<ParquetFile>();
        made->name_ = name;
        ARROW_ASSIGN_OR_RAISE(auto reader, made->reader());
        ARROW_RETURN_NOT_OK(reader->GetSchema(&made->schema_));
        made->metadata_ = reader->parquet_reader()->metadata();
        return made;
    }
    std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
    int piece_count() const override { return metadata_->num_row_groups(); }
    std::int64_t piece_rows(int piece) const override { return metadata_->RowGroup(piece)->num_rows(); }
    // A reader of its own for each piece: threads share nothing.
    arrow::Result<std::shared_ptr<arrow::Table>> read(int piece, const std::vector<int>& columns) const override {
        ARROW_ASSIGN_OR_RAISE(auto reader, this->reader());
        return reader->ReadRowGroup(piece, columns);
    }
    arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> batches(int piece,
                                                                     const std::vector<int>& columns) const override {
        struct Opened {  // the file must outlive what reads it
            std::unique_ptr<parquet::arrow::FileReader> file;
            std::unique_ptr<arrow::RecordBatchReader> batches;
        };
        auto opened = std::make_shared<Opened>();
        auto bytes = parquet::default_reader_properties();
        bytes.enable_buffered_stream();
        bytes.set_buffer_size(1 << 18);
        parquet::ArrowReaderProperties properties(true);  // columns on all cores
        properties.set_batch_size(batch_rows);
        properties.set_pre_buffer(false);
        ARROW_ASSIGN_OR_RAISE(opened->file, reader(bytes, properties));
        ARROW_ASSIGN_OR_RAISE(opened->batches, opened->file->GetRecordBatchReader(std::vector<int>{piece}, columns));
        return std::shared_ptr<arrow::RecordBatchReader>(opened, opened->batches.get());
    }

private:
    arrow::Result<std::unique_ptr<parquet::arrow::FileReader>> reader(
        const parquet::ReaderProperties& bytes = parquet::default_reader_properties(),
        const parquet::ArrowReaderProperties& properties = parquet::ArrowReaderProperties(false)) const {
        ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::ReadableFile::Open(name_));
        parquet::arrow::FileReaderBuilder builder;
        ARROW_RETURN_NOT_OK(builder.Open(file, bytes, metadata_));
        std::unique_ptr<parquet::arrow::FileReader> reader;
        ARROW_RETURN_NOT_OK(builder.memory_pool(arrow::default_memory_pool())->properties(properties)->Build(&reader));
        return reader;
    }
    std::string name_;
    std::shared_ptr<arrow::Schema> schema_;
    std::shared_ptr<parquet::FileMetaData> metadata_;
};

class IpcFile final : public ArrowFile {
public:
    static arrow::Result<std::unique_ptr<ArrowFile>> open(const std::string& name) {
        auto made = std::make_unique<IpcFile>();
        ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::MemoryMappedFile::Open(name, arrow::io::FileMode::READ));
        ARROW_ASSIGN_OR_RAISE(made->reader_, arrow::ipc::RecordBatchFileReader::Open(file));
        for (int piece = 0; piece < made->reader_->num_record_batches(); ++piece) {
            ARROW_ASSIGN_OR_RAISE(auto batch, made->reader_->ReadRecordBatch(piece));
            made->rows_.push_back(batch->num_rows());
        }
        return made;
    }
    std::shared_ptr<arrow::Schema> schema() const override { return reader_->schema(); }
    int piece_count() const override { return reader_->num_record_batches(); }
    std::int64_t piece_rows(int piece) const override { return rows_[static_cast<std::size_t>(piece)]; }
    arrow::Result<std::shared_ptr<arrow::Table>> read(int piece, const std::vector<int>& columns) const override {
        ARROW_ASSIGN_OR_RAISE(auto batch, reader_->ReadRecordBatch(piece));
        ARROW_ASSIGN_OR_RAISE(auto table, arrow::Table::FromRecordBatches({batch}));
        return table->SelectColumns(columns);
    }
    arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> batches(int piece,
                                                                     const std::vector<int>& columns) const override {
        ARROW_ASSIGN_OR_RAISE(auto table, read(piece, columns));
        auto reader = std::make_shared<arrow::TableBatchReader>(std::move(table));
        reader->set_chunksize(batch_rows);
        return reader;
    }

private:
    std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader_;
    std::vector<std::int64_t> rows_;
};

struct ArrowMemory final : UnitMemory {
    int piece = 0;
    std::shared_ptr<arrow::Table> table;
};

class ArrowReader final : public TableReader {
public:
    Result<void> open(const std::vector<std::string>& names) {
        names_ = names;
        for (const auto& name : names) {
            auto opened = name.empty() ? arrow::Status::IOError("no name") : open_one(name);
            if (!opened.ok()) return arrow_error(opened.status(), name);
            files_.push_back(std::move(*opened));
            std::vector<int> order;  // of this file's columns, by the first file's names
            for (const auto& field : files_[0]->schema()->fields()) {
                const int at = files_.back()->schema()->GetFieldIndex(field->name());
                if (at < 0)
                    return Error("there is no column " + field->name() + ", which " + names[0] + " has").in_file(name);
                order.push_back(at);
            }
            order_.push_back(std::move(order));
        }
        return look();
    }
    const std::vector<FoundColumn>& columns() const override { return columns_; }
    const std::vector<std::string>& files() const override { return names_; }
    void want(std::uint32_t column, bool wanted, ColumnKind kind) override { wanted_[column] = {wanted, kind}; }
    Result<bool> draw(TableUnit& unit) override {
        auto memory = std::make_unique<ArrowMemory>();
        for (bool found = false; !found;) {
            if (file_ == files_.size()) return false;
            if (piece_ >= files_[file_]->piece_count()) {
                ++file_;
                piece_ = 0;
                rows_before_ = rows_;
                continue;
            }
            unit.row_count = static_cast<std::size_t>(files_[file_]->piece_rows(piece_));
            memory->piece = piece_;
            found = unit.row_count <= batch_rows;
            if (!found) {
                auto next = next_batch();
                if (!next.ok()) return arrow_error(next.status(), names_[file_]);
                memory->table = *next;
                found = memory->table != nullptr;
                if (found) unit.row_count = static_cast<std::size_t>(memory->table->num_rows());
            }
            if (batches_ == nullptr) ++piece_;
        }
        unit.index = next_++;
        unit.first_row = rows_;
        unit.first_line = rows_ - rows_before_ + 1;
        unit.file = static_cast<std::uint32_t>(file_);
        unit.memory = std::move(memory);
        unit.skipped_before.clear();
        rows_ += unit.row_count;
        return true;
    }
    Result<void> decode(TableUnit& unit) const override {
        auto& memory = static_cast<ArrowMemory&>(*unit.memory);
        if (memory.table == nullptr) {
            auto table = files_[unit.file]->read(memory.piece, wanted_places(unit.file));
            if (!table.ok()) return arrow_error(table.status(), names_[unit.file]);
            memory.table = *table;
        }
        auto whole = memory.table->CombineChunks();
        if (!whole.ok()) return arrow_error(whole.status(), names_[unit.file]);
        memory.table = *whole;
        unit.columns.resize(columns_.size());
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            if (!wanted_[k].first) continue;
            const auto& chunks = memory.table->GetColumnByName(columns_[k].name);
            if (chunks->num_chunks() == 0) continue;
            auto filled = fill_cells(columns_[k].name, *chunks->chunk(0), wanted_[k].second, unit.columns[k]);
            if (!filled) return Error(filled.error()).in_file(names_[unit.file]);
        }
        return {};
    }
    Result<void> rewind() override {
        file_ = 0;
        piece_ = 0;
        rows_ = next_ = rows_before_ = 0;
        batches_.reset();
        return {};
    }
    Progress progress() const override { return {rows_.load(), 0, 0}; }
    std::uint64_t skipped_rows() const override { return 0; }

private:
    static arrow::Result<std::unique_ptr<ArrowFile>> open_one(const std::string& name) {
        ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::ReadableFile::Open(name));
        ARROW_ASSIGN_OR_RAISE(auto start, file->Read(4));
        if (start->ToString() == "PAR1") return ParquetFile::open(name);
        return IpcFile::open(name);
    }
    std::vector<int> wanted_places(std::size_t file) const {
        std::vector<int> places;
        for (std::size_t k = 0; k < columns_.size(); ++k)
            if (wanted_[k].first) places.push_back(order_[file][k]);
        return places;
    }
    // More of a large piece; nothing at its end, where batches_ is let go.
    arrow::Result<std::shared_ptr<arrow::Table>> next_batch() {
        if (batches_ == nullptr) {
            ARROW_ASSIGN_OR_RAISE(batches_, files_[file_]->batches(piece_, wanted_places(file_)));
        }
        ARROW_ASSIGN_OR_RAISE(auto batch, batches_->Next());
        if (batch != nullptr) return arrow::Table::FromRecordBatches({batch});
        batches_.reset();
        return std::shared_ptr<arrow::Table>();
    }
    // Kinds from the first piece that has rows.
    Result<void> look() {
        const auto& schema = *files_[0]->schema();
        if (schema.num_fields() == 0) return Error("the file has no columns").in_file(names_[0]);
        for (int piece = 0; piece < files_[0]->piece_count(); ++piece) {
            if (files_[0]->piece_rows(piece) == 0) continue;
            std::vector<int> all;
            for (int k = 0; k < schema.num_fields(); ++k) all.push_back(k);
            const auto batches = files_[0]->batches(piece, all);
            const auto start = batches.ok() ? (*batches)->Next() : batches.status();
            if (!start.ok()) return arrow_error(start.status(), names_[0]);
            constexpr std::int64_t looked_at = 10'000;
            for (int k = 0; k < schema.num_fields(); ++k) {
                columns_.push_back(look_at_arrow(schema.field(k)->name(), *(*start)->column(k)->Slice(0, looked_at)));
                wanted_.emplace_back(true, columns_.back().kind);
            }
            return {};
        }
        return Error("the file has no rows").in_file(names_[0]);
    }

    std::vector<std::string> names_;
    std::vector<std::unique_ptr<ArrowFile>> files_;
    std::vector<std::vector<int>> order_;
    std::vector<FoundColumn> columns_;
    std::vector<std::pair<bool, ColumnKind>> wanted_;
    std::size_t file_ = 0;
    int piece_ = 0;
    std::shared_ptr<arrow::RecordBatchReader> batches_;  // of a large piece that is being drawn
    std::atomic<std::uint64_t> rows_{0};
    std::uint64_t next_ = 0, rows_before_ = 0;  // rows of earlier files
};

}  // namespace
}  // namespace suffice

extern "C" [[gnu::visibility("default")]] void suffice_open_arrow(
    const std::vector<std::string>& files, suffice::Result<std::unique_ptr<suffice::TableReader>>& into) {
    try {
        auto reader = std::make_unique<suffice::ArrowReader>();
        if (auto opened = reader->open(files); !opened) {
            into = opened.error();
        } else {
            into = std::unique_ptr<suffice::TableReader>(std::move(reader));
        }
    } catch (const std::exception& fault) {
        into = suffice::Error(fault.what()).in_file(files.empty() ? "" : files[0]);
    }
}
