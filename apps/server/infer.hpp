// The Open Inference Protocol, version 2: metadata of models, and infer with its tensors as JSON or raw bytes.
#pragma once
#include "server/message.hpp"
#include "server/rows.hpp"

namespace suffice::server {

Response server_metadata();
Response model_metadata(const Served& served);
Response infer_route(const Served& served, const Request& request, std::size_t most_rows);

}  // namespace suffice::server
