// The messages of an Arrow IPC file or stream: where each lies, and the bytes of its parts, read when they are needed.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <arrow/io/file.h>
#include <arrow/ipc/message.h>
#include <arrow/util/compression.h>

namespace suffice {

// Arrow builds the arrays of a record batch around addresses. The bodies of record batches are not read for that: they
// get addresses in a reserved range of the file's size which holds nothing, and where an array's buffer lies in the
// file follows from its address. So a batch of any size takes no memory.
class IpcMessages {
public:
    static arrow::Result<std::unique_ptr<IpcMessages>> open(const std::string& path, bool has_footer);
    ~IpcMessages();
    IpcMessages(const IpcMessages&) = delete;
    IpcMessages& operator=(const IpcMessages&) = delete;

    int batch_count() const { return batch_count_; }
    // All bytes or an error; any thread.
    arrow::Status read(std::int64_t at, std::int64_t size, void* into) const;
    // Memory of so many bytes, readable for 64 bytes more, as Cells asks for.
    static arrow::Result<std::shared_ptr<arrow::Buffer>> room(std::int64_t size);
    std::int64_t place_of(const arrow::Buffer& buffer) const;  // of a record batch, in the file

    // What follows is in the order in which a stream has it; of a file with a footer, all dictionaries come first.
    struct Next {
        std::unique_ptr<arrow::ipc::Message> message;                         // null: no more
        arrow::Compression::type packing = arrow::Compression::UNCOMPRESSED;  // of each buffer of the record batch
    };
    arrow::Result<Next> message(std::size_t number) const;

private:
    IpcMessages() = default;
    struct Place {
        std::int64_t metadata = 0, body = 0, body_size = 0;
        std::int32_t metadata_size = 0;
        arrow::ipc::MessageType type = arrow::ipc::MessageType::NONE;
    };
    arrow::Result<Place> place_at(std::int64_t start, std::int64_t end) const;
    arrow::Status find();
    arrow::Status list();
    arrow::Result<std::shared_ptr<arrow::Buffer>> read(std::int64_t at, std::int64_t size) const;

    std::shared_ptr<arrow::io::ReadableFile> file_;
    std::int64_t size_ = 0;
    const std::uint8_t* addresses_ = nullptr;  // as many as the file has bytes
    std::shared_ptr<arrow::Buffer> schema_;    // of a file, from its footer; null: a stream's first message
    std::vector<Place> places_;
    int batch_count_ = 0;
};

}  // namespace suffice
