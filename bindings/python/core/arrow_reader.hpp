// Rows that arrive by an Arrow C stream, batch after batch: a table as files are one, in constant memory.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include <nanobind/nanobind.h>

#include "suffice/read/table.hpp"

namespace suffice::python {

// `exporter` has __arrow_c_stream__; whoever asks it a second time gets the rows again, or an error where they come
// only once. `name` stands in messages where files have their names: "partition 3". Units are blocks of
// stream_block_rows rows, however the batches were cut.
Result<std::unique_ptr<TableReader>> read_arrow_stream(nanobind::handle exporter, const std::string& name);
std::size_t stream_block_rows(std::size_t column_count);

}  // namespace suffice::python
