// Columns without a value in the first look: reads on to the value that decides what they hold.
#pragma once
#include "suffice/read/table.hpp"

namespace suffice {

// Of a pipe, so many bytes are read ahead (and kept) for a value; of files, all.
inline constexpr std::uint64_t waiting_limit = std::uint64_t{256} << 20;

// The reader's columns; one of `waiting` that has a value somewhere is no longer all missing, and has its kind. The
// reader stands at the start again, and must be told anew what is wanted.
Result<std::vector<FoundColumn>> settle_waiting_columns(TableReader& reader, std::vector<std::uint32_t> waiting);

}  // namespace suffice
