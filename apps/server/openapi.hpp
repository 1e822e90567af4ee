// The OpenAPI description of what is served.
#pragma once
#include "server/served.hpp"

namespace suffice::server {

std::string openapi(const Models& models, bool with_tokens);

}  // namespace suffice::server
