// Decodes the columns of Parquet row groups.
#include "suffice/read/arrow/parquet_column.hpp"

#include <limits>
#include <utility>

#include <arrow/api.h>
#include <parquet/column_reader.h>
#include <parquet/exception.h>

#include "suffice/read/arrow/arrow_cells.hpp"

namespace suffice {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// Stored: how the file holds the values; Meant: what they are, such as an unsigned number in a signed one's bits.
template <class Stored, class Meant>
class NumberColumn final : public OrderedColumn {
public:
    explicit NumberColumn(std::shared_ptr<parquet::ColumnReader> reader) : reader_(std::move(reader)) {}

    Result<void> read(std::int64_t row_count, const ArrowPiece::Wish& wish) override {
        const ColumnKind kind = wish.kind.value_or(ColumnKind::number);
        Cells& into = *wish.cells;
        start_cells(kind, into);
        const auto rows = static_cast<std::size_t>(row_count);
        if (kind == ColumnKind::number || kind == ColumnKind::flag) {
            into.numbers.resize(rows);
            Value* values = nullptr;
            if constexpr (std::is_same_v<Value, double>)
                values = into.numbers.data();
            else
                values = room(rows);
            const std::size_t found = read_values(rows, values);
            spread(found, values, into.numbers.data(), rows);
            return {};
        }
        const std::size_t found = read_values(rows, room(rows));
        Speller speller(into);
        for (std::size_t row = 0, value = 0; row < rows; ++row) {
            if (found < rows && !is_there(row))
                speller.add_missing();
            else
                speller.add(static_cast<Meant>(values_[value++]));
        }
        speller.finish();
        return {};
    }

private:
    using Value = typename Stored::c_type;

    Value* room(std::size_t rows) {
        if (rows > room_) values_ = std::make_unique<Value[]>(room_ = rows);
        return values_.get();
    }
    bool is_there(std::size_t row) const { return levels_[row] > 0; }

    // How many values there are: those that are null have a level and no value.
    std::size_t read_values(std::size_t rows, Value* into) {
        auto& reader = static_cast<parquet::TypedColumnReader<Stored>&>(*reader_);
        levels_.resize(rows);
        std::size_t levels = 0, values = 0;
        while (levels < rows) {
            std::int64_t more = 0;
            const auto read = reader.ReadBatch(static_cast<std::int64_t>(rows - levels), levels_.data() + levels,
                                               nullptr, into + values, &more);
            if (read <= 0) throw parquet::ParquetException("the column ends before its row group does");
            levels += static_cast<std::size_t>(read);
            values += static_cast<std::size_t>(more);
        }
        return values;
    }

    // Numbers to where their rows are, from behind, since they may lie in the same memory.
    void spread(std::size_t found, const Value* from, double* to, std::size_t rows) const {
        if (found == rows) {
            if (static_cast<const void*>(from) == to) return;
            for (std::size_t row = 0; row < rows; ++row) to[row] = static_cast<double>(static_cast<Meant>(from[row]));
            return;
        }
        for (std::size_t row = rows, value = found; row-- > 0;)
            to[row] = is_there(row) ? static_cast<double>(static_cast<Meant>(from[--value])) : missing;
    }

    std::shared_ptr<parquet::ColumnReader> reader_;
    std::vector<std::int16_t> levels_;
    std::unique_ptr<Value[]> values_;
    std::size_t room_ = 0;
};

class ArrayColumn final : public OrderedColumn {
public:
    ArrayColumn(std::string name, std::shared_ptr<arrow::RecordBatchReader> batches)
        : name_(std::move(name)), batches_(std::move(batches)) {}

    Result<void> read(std::int64_t row_count, const ArrowPiece::Wish& wish) override {
        arrow::ArrayVector pieces;
        for (std::int64_t rows = 0; rows < row_count; rows += pieces.back()->length()) {
            std::shared_ptr<arrow::RecordBatch> batch;
            PARQUET_ASSIGN_OR_THROW(batch, batches_->Next());
            if (batch == nullptr || batch->num_rows() == 0)
                throw parquet::ParquetException("the column ends before its row group does");
            pieces.push_back(batch->column(0));
        }
        std::shared_ptr<arrow::Array> values = pieces.front();
        if (pieces.size() > 1) {
            PARQUET_ASSIGN_OR_THROW(values, arrow::Concatenate(pieces));
        }
        if (values->length() != row_count) throw parquet::ParquetException("a column is longer than its row group");
        PARQUET_THROW_NOT_OK(values->ValidateFull());  // texts that are no UTF-8
        *wish.memory = std::move(values);
        return wish.kind ? fill_cells(name_, **wish.memory, *wish.kind, *wish.cells) : Result<void>{};
    }

private:
    std::string name_;
    std::shared_ptr<arrow::RecordBatchReader> batches_;
};

}  // namespace

std::unique_ptr<OrderedColumn> number_column(const std::shared_ptr<parquet::ColumnReader>& reader,
                                             const arrow::DataType& type) {
    const auto& column = *reader->descr();
    if (column.max_repetition_level() > 0 || column.max_definition_level() > 1) return nullptr;
    const auto made = [&]<class Stored, class Meant>(Stored, Meant) -> std::unique_ptr<OrderedColumn> {
        if (column.physical_type() != Stored::type_num) return nullptr;
        return std::make_unique<NumberColumn<Stored, Meant>>(reader);
    };
    switch (type.id()) {
        case arrow::Type::DOUBLE:
            return made(parquet::DoubleType{}, double{});
        case arrow::Type::FLOAT:
            return made(parquet::FloatType{}, float{});
        case arrow::Type::INT64:
            return made(parquet::Int64Type{}, std::int64_t{});
        case arrow::Type::UINT64:
            return made(parquet::Int64Type{}, std::uint64_t{});
        case arrow::Type::INT32:
        case arrow::Type::INT16:
        case arrow::Type::INT8:
            return made(parquet::Int32Type{}, std::int32_t{});
        case arrow::Type::UINT32:
        case arrow::Type::UINT16:
        case arrow::Type::UINT8:
            return made(parquet::Int32Type{}, std::uint32_t{});
        case arrow::Type::BOOL:
            return made(parquet::BooleanType{}, bool{});
        default:
            return nullptr;
    }
}

std::unique_ptr<OrderedColumn> array_column(std::string name, std::shared_ptr<arrow::RecordBatchReader> batches) {
    return std::make_unique<ArrayColumn>(std::move(name), std::move(batches));
}

}  // namespace suffice
