// Rows that lie in several pieces of memory, such as the chunks of an Arrow table, as one stream.
#pragma once
#include <memory>
#include <span>

#include "suffice/data/stream.hpp"

namespace suffice::python {

// Labels and weights (or none) run through all blocks.
std::unique_ptr<Stream> blocks_stream(std::span<const Block> blocks, std::span<const std::int32_t> label,
                                      std::span<const double> weight, const Schema& names);

}  // namespace suffice::python
