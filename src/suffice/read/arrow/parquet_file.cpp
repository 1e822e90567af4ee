// Parquet files by row group: the columns of a row group are decoded by several threads, each column in order.
#include <algorithm>
#include <utility>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>

#include "suffice/read/arrow/arrow_file.hpp"
#include "suffice/read/arrow/parquet_column.hpp"

namespace suffice {
namespace {

Error not_readable(const std::exception& fault, const std::string& file) {
    return arrow_error(arrow::Status::IOError(fault.what()), file);
}

void add_leaves(const parquet::arrow::SchemaField& field, std::vector<int>& leaves) {
    if (field.is_leaf()) leaves.push_back(field.column_index);
    for (const auto& child : field.children) add_leaves(child, leaves);
}

// Whether every page of the column has its words in a dictionary, which then need not be undone.
bool is_all_dictionary(const parquet::ColumnChunkMetaData& column) {
    bool any = false;
    for (const auto& pages : column.encoding_stats()) {
        if (pages.page_type != parquet::PageType::DATA_PAGE && pages.page_type != parquet::PageType::DATA_PAGE_V2)
            continue;
        any = true;
        if (pages.encoding != parquet::Encoding::PLAIN_DICTIONARY &&
            pages.encoding != parquet::Encoding::RLE_DICTIONARY)
            return false;
    }
    return any;
}

class ParquetFile final : public ArrowFile {
public:
    explicit ParquetFile(const ArrowSource& source) : name_(source.name) {
        PARQUET_ASSIGN_OR_THROW(bytes_, arrow::io::ReadableFile::Open(source.path));
        file_ = parquet::ParquetFileReader::Open(bytes_, reading());
        metadata_ = file_->metadata();
        PARQUET_THROW_NOT_OK(parquet::arrow::SchemaManifest::Make(metadata_->schema(), metadata_->key_value_metadata(),
                                                                  parquet::default_arrow_reader_properties(),
                                                                  &fields_));
        PARQUET_THROW_NOT_OK(parquet::arrow::FromParquetSchema(metadata_->schema(),
                                                               parquet::default_arrow_reader_properties(),
                                                               metadata_->key_value_metadata(), &schema_));
    }
    const arrow::Schema& schema() const override { return *schema_; }
    int piece_count() const override { return metadata_->num_row_groups(); }

    Result<std::shared_ptr<ArrowPiece>> open_piece(int piece, const std::vector<int>& fields,
                                                   std::int64_t batch_rows) override {
        try {
            auto group = file_->RowGroup(piece);
            std::shared_ptr<parquet::arrow::FileReader> arrays;  // made where a column needs it
            std::vector<std::unique_ptr<OrderedColumn>> columns;
            std::vector<std::string> names;
            for (const int field : fields) {
                const auto& which = fields_.schema_fields[static_cast<std::size_t>(field)];
                std::unique_ptr<OrderedColumn> column;
                if (which.is_leaf()) column = number_column(group->Column(which.column_index), *which.field->type());
                if (column == nullptr) {
                    if (arrays == nullptr) arrays = array_reader(*group, batch_rows);
                    column = array_column(which.field->name(), batches_of(arrays, piece, which));
                }
                columns.push_back(std::move(column));
                names.push_back(which.field->name());
            }
            const auto rows = metadata_->RowGroup(piece)->num_rows();
            return std::shared_ptr<ArrowPiece>(
                std::make_shared<OrderedPiece>(name_, std::move(names), rows, std::move(columns), std::move(group)));
        } catch (const std::exception& fault) {
            return not_readable(fault, name_);
        }
    }

private:
    // Pages are read as they come, so that a row group of any size needs little memory.
    static parquet::ReaderProperties reading() {
        auto properties = parquet::default_reader_properties();
        properties.enable_buffered_stream();
        properties.set_buffer_size(1 << 15);
        properties.set_page_checksum_verification(true);  // where the writer left checksums
        return properties;
    }
    std::shared_ptr<parquet::arrow::FileReader> array_reader(const parquet::RowGroupReader& group,
                                                             std::int64_t batch_rows) const {
        parquet::ArrowReaderProperties properties(false);
        properties.set_batch_size(batch_rows);
        properties.set_pre_buffer(false);
        for (int leaf = 0; leaf < metadata_->num_columns(); ++leaf)
            if (metadata_->schema()->Column(leaf)->physical_type() == parquet::Type::BYTE_ARRAY &&
                is_all_dictionary(*group.metadata()->ColumnChunk(leaf)))
                properties.set_read_dictionary(leaf, true);
        parquet::arrow::FileReaderBuilder builder;
        PARQUET_THROW_NOT_OK(builder.Open(bytes_, reading(), metadata_));
        std::unique_ptr<parquet::arrow::FileReader> reader;
        PARQUET_THROW_NOT_OK(builder.properties(properties)->Build(&reader));
        return reader;
    }
    static std::shared_ptr<arrow::RecordBatchReader> batches_of(const std::shared_ptr<parquet::arrow::FileReader>& file,
                                                                int piece, const parquet::arrow::SchemaField& field) {
        struct Opened {  // the file must outlive what reads it
            std::shared_ptr<parquet::arrow::FileReader> file;
            std::unique_ptr<arrow::RecordBatchReader> batches;
        };
        std::vector<int> leaves;
        add_leaves(field, leaves);
        auto opened = std::make_shared<Opened>();
        opened->file = file;
        PARQUET_ASSIGN_OR_THROW(opened->batches, file->GetRecordBatchReader(std::vector<int>{piece}, leaves));
        return {opened, opened->batches.get()};
    }

    std::string name_;
    std::shared_ptr<arrow::io::ReadableFile> bytes_;
    std::unique_ptr<parquet::ParquetFileReader> file_;
    std::shared_ptr<parquet::FileMetaData> metadata_;
    parquet::arrow::SchemaManifest fields_;
    std::shared_ptr<arrow::Schema> schema_;
};

}  // namespace

Result<std::unique_ptr<ArrowFile>> open_parquet(const ArrowSource& source) {
    try {
        return std::unique_ptr<ArrowFile>(std::make_unique<ParquetFile>(source));
    } catch (const std::exception& fault) {
        return not_readable(fault, source.name);
    }
}

}  // namespace suffice
