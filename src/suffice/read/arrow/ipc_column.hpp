// One column of an IPC record batch, of which the rows asked for alone are read from the file.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include <arrow/api.h>

#include "suffice/read/arrow/ipc_messages.hpp"

namespace suffice {

// The bytes of one buffer of a column.
class IpcBytes {
public:
    virtual ~IpcBytes() = default;
    virtual std::int64_t size() const = 0;
    // The caller stays within the size. Packed ones can only be read in order; what was read last may be read again as
    // far as `repeatable` bytes from its end.
    static constexpr std::int64_t repeatable = 64;
    virtual arrow::Status read(std::int64_t at, std::int64_t size, std::uint8_t* into) = 0;
};

class IpcColumn {
public:
    // `whole`: the column as Arrow has it, around addresses.
    static arrow::Result<std::unique_ptr<IpcColumn>> open(const IpcMessages& messages,
                                                          std::shared_ptr<arrow::ArrayData> whole,
                                                          arrow::Compression::type packing);
    // Rows as an array of their own, checked. Any thread at any time, but of packed columns in order.
    arrow::Result<std::shared_ptr<arrow::Array>> rows(std::int64_t first, std::int64_t count);

private:
    using Bytes = std::shared_ptr<arrow::Buffer>;
    explicit IpcColumn(std::shared_ptr<arrow::ArrayData> whole) : whole_(std::move(whole)) {}
    arrow::Result<Bytes> bytes(std::size_t buffer, std::int64_t at, std::int64_t size);
    arrow::Result<Bytes> bits(std::size_t buffer, std::int64_t first, std::int64_t count);
    template <class Offset>
    arrow::Status fill_words(std::int64_t first, std::int64_t count, arrow::ArrayData& into);
    arrow::Status fill_views(std::int64_t first, std::int64_t count, arrow::ArrayData& into);
    arrow::Result<Bytes> unpacked(std::size_t buffer);

    std::shared_ptr<arrow::ArrayData> whole_;
    bool packed_ = false;
    std::vector<std::unique_ptr<IpcBytes>> bytes_;  // of each buffer; null: the column has none there
    std::vector<Bytes> unpacked_;                   // what packed views point at
};

}  // namespace suffice
