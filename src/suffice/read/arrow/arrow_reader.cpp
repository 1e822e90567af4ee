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
    // Some rows from the start of a piece, all columns.
    virtual arrow::Result<std::shared_ptr<arrow::RecordBatch>> start_of(int piece) const = 0;
};

constexpr std::int64_t looked_at = 10'000;  // rows

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
        reader->set_use_threads(piece_count() == 1);  // pieces are shared among threads, one piece is by its columns
        return reader->ReadRowGroup(piece, columns);
    }
    arrow::Result<std::shared_ptr<arrow::RecordBatch>> start_of(int piece) const override {
        ARROW_ASSIGN_OR_RAISE(auto reader, this->reader());
        reader->set_batch_size(looked_at);
        ARROW_ASSIGN_OR_RAISE(auto batches, reader->GetRecordBatchReader(std::vector<int>{piece}));
        return batches->Next();
    }

private:
    arrow::Result<std::unique_ptr<parquet::arrow::FileReader>> reader() const {
        ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::ReadableFile::Open(name_));
        parquet::arrow::FileReaderBuilder builder;
        ARROW_RETURN_NOT_OK(builder.Open(file, parquet::default_reader_properties(), metadata_));
        parquet::ArrowReaderProperties properties;
        properties.set_use_threads(false);
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
    arrow::Result<std::shared_ptr<arrow::RecordBatch>> start_of(int piece) const override {
        ARROW_ASSIGN_OR_RAISE(auto batch, reader_->ReadRecordBatch(piece));
        return batch->Slice(0, looked_at);
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
        while (file_ < files_.size() && piece_ >= files_[file_]->piece_count()) {
            ++file_;
            piece_ = 0;
            rows_before_ = rows_;
        }
        if (file_ == files_.size()) return false;
        auto memory = std::make_unique<ArrowMemory>();
        memory->piece = piece_;
        unit.index = next_++;
        unit.first_row = rows_;
        unit.first_line = rows_ - rows_before_ + 1;
        unit.file = static_cast<std::uint32_t>(file_);
        unit.row_count = static_cast<std::size_t>(files_[file_]->piece_rows(piece_));
        unit.memory = std::move(memory);
        unit.skipped_before.clear();
        rows_ += unit.row_count;
        ++piece_;
        return true;
    }
    Result<void> decode(TableUnit& unit) const override {
        auto& memory = static_cast<ArrowMemory&>(*unit.memory);
        std::vector<int> places;
        std::vector<std::uint32_t> which;
        for (std::uint32_t k = 0; k < columns_.size(); ++k)
            if (wanted_[k].first) {
                which.push_back(k);
                places.push_back(order_[unit.file][k]);
            }
        auto table = files_[unit.file]->read(memory.piece, places);
        if (!table.ok()) return arrow_error(table.status(), names_[unit.file]);
        auto whole = (*table)->CombineChunks();
        if (!whole.ok()) return arrow_error(whole.status(), names_[unit.file]);
        memory.table = *whole;
        unit.columns.resize(columns_.size());
        for (std::size_t k = 0; k < which.size(); ++k) {
            const auto& chunks = memory.table->GetColumnByName(columns_[which[k]].name);
            if (chunks->num_chunks() == 0) continue;
            auto filled = fill_cells(columns_[which[k]].name, *chunks->chunk(0), wanted_[which[k]].second,
                                     unit.columns[which[k]]);
            if (!filled) return Error(filled.error()).in_file(names_[unit.file]);
        }
        return {};
    }
    Result<void> rewind() override {
        file_ = 0;
        piece_ = 0;
        rows_ = next_ = rows_before_ = 0;
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
    // Kinds from the first piece that has rows.
    Result<void> look() {
        const auto& schema = *files_[0]->schema();
        if (schema.num_fields() == 0) return Error("the file has no columns").in_file(names_[0]);
        wanted_.assign(static_cast<std::size_t>(schema.num_fields()), {false, ColumnKind::number});
        for (int piece = 0; piece < files_[0]->piece_count(); ++piece) {
            if (files_[0]->piece_rows(piece) == 0) continue;
            const auto start = files_[0]->start_of(piece);
            if (!start.ok()) return arrow_error(start.status(), names_[0]);
            for (int k = 0; k < schema.num_fields(); ++k)
                columns_.push_back(look_at_arrow(schema.field(k)->name(), *(*start)->column(k)));
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
