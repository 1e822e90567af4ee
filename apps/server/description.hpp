// What the server says of itself: models, and what they are asked.
#pragma once
#include "server/message.hpp"
#include "server/served.hpp"

namespace suffice::server {

std::string about(const Served& served);       // JSON: name, model, columns, classes, rows, sequence
std::string asked_text(const Served& served);  // JSON: rows, classes, novel_share

}  // namespace suffice::server
