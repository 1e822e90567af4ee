// Answers as tables, which CSV and Arrow have alike.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "suffice/report/arrow_stream.hpp"

namespace suffice::server {

// By the media type: CSV with a header, or an Arrow stream.
std::string table_text(std::string_view type, std::span<const ArrowColumn> columns, std::size_t rows);

}  // namespace suffice::server
