// What Arrow's interface does not tell of an IPC file's metadata, which are flatbuffers as in format/Message.fbs and
// format/File.fbs of Arrow. All given here were verified by Arrow before.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include <arrow/buffer.h>
#include <arrow/util/compression.h>

namespace suffice {

// The metadata of a record batch without its mark of compression, by which Arrow would unpack all buffers at once.
struct UnmarkedBatch {
    arrow::Compression::type packing = arrow::Compression::UNCOMPRESSED;
    std::shared_ptr<arrow::Buffer> metadata;
};
UnmarkedBatch without_compression(std::shared_ptr<arrow::Buffer> metadata);

// The footer of a file: the schema as the message that a stream would have, and where messages start.
struct IpcFooter {
    std::shared_ptr<arrow::Buffer> schema;
    std::vector<std::int64_t> dictionaries, record_batches;
};
IpcFooter read_footer(const arrow::Buffer& footer);

}  // namespace suffice
