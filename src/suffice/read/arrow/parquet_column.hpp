// One column of a Parquet row group, read by and by.
#pragma once
#include <memory>
#include <string>

#include "suffice/read/arrow/ordered_piece.hpp"

namespace arrow {
class DataType;
class RecordBatchReader;
}  // namespace arrow

namespace parquet {
class ColumnReader;
}

namespace suffice {

// A flat column of plain numbers, decoded into the cells without a stop between; nothing where the type is another.
std::unique_ptr<OrderedColumn> number_column(const std::shared_ptr<parquet::ColumnReader>& reader,
                                             const arrow::DataType& type);

// Any column, by way of Arrow's arrays. `batches` gives this column alone and at most the rows asked for at once.
std::unique_ptr<OrderedColumn> array_column(std::string name, std::shared_ptr<arrow::RecordBatchReader> batches);

}  // namespace suffice
