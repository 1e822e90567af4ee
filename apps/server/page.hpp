// The page at /, and its script and style.
#pragma once
#include <optional>

#include "server/message.hpp"

namespace suffice::server {

std::optional<Response> page_file(std::string_view path);

}  // namespace suffice::server
