// The bytes of a buffer in an IPC file, as they lie there or unpacked on the way.
#pragma once
#include <memory>

#include "suffice/read/arrow/ipc_column.hpp"

namespace suffice {

arrow::Result<std::unique_ptr<IpcBytes>> open_ipc_bytes(const IpcMessages& messages, std::int64_t place,
                                                        std::int64_t size, arrow::Compression::type packing);

}  // namespace suffice
