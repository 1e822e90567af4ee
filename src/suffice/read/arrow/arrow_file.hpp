// One Parquet or Arrow IPC file: its columns, and its rows piece by piece, each column read on its own.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suffice/read/arrow_library.hpp"

namespace arrow {
class Array;
class Schema;
class Status;
}  // namespace arrow

namespace suffice {

Error arrow_error(const arrow::Status& status, const std::string& file);

// A row group or a record batch, cut into batches of so many rows.
class ArrowPiece {
public:
    virtual ~ArrowPiece() = default;
    virtual std::int64_t row_count() const = 0;
    struct Batch {
        std::uint64_t number = 0;  // within the piece
        std::int64_t first_row = 0, row_count = 0;
    };
    struct Wish {
        std::optional<ColumnKind> kind = {};  // none: for a look, numbers or the array alone, whatever it holds
        Cells* cells = nullptr;
        std::shared_ptr<arrow::Array>* memory = nullptr;  // what the views in the cells point into
    };
    // Fills the cells of all wanted columns. Any thread; batches are asked for in the order of their numbers, and where
    // a column can only be read in order, threads help the one with the earliest batch and wait for it.
    virtual Result<void> fill(const Batch& batch, std::span<const Wish> wishes) = 0;
};

class ArrowFile {
public:
    virtual ~ArrowFile() = default;
    virtual const arrow::Schema& schema() const = 0;
    virtual int piece_count() const = 0;
    // Of the fields with these places in the schema.
    virtual Result<std::shared_ptr<ArrowPiece>> open_piece(int piece, const std::vector<int>& fields,
                                                           std::int64_t batch_rows) = 0;
};

Result<std::unique_ptr<ArrowFile>> open_parquet(const ArrowSource& source);
Result<std::unique_ptr<ArrowFile>> open_ipc(const ArrowSource& source, bool has_footer);  // no footer: a stream

}  // namespace suffice
