// Models that learn while they are served: each change goes to the log first, then a new version takes the place of
// the old one.
#pragma once
#include "server/message.hpp"
#include "server/served.hpp"

namespace suffice::server {

Response change_route(Served& served, Change change, const Request& request, std::size_t most_rows);

// Opens the log of a model and puts the version that it tells of in place.
Result<void> recover(Served& served, const ServerOptions& options, Model file, std::uint64_t base, const Tell& tell);
// The current version as a file in the log's folder.
Result<void> snapshot(Served& served);
// Puts a changed file in place of the model; a bad one is told and left alone.
void reload_if_changed(Served& served, const Tell& tell);
// Loads the model's file; `base` gets the checksum of its bytes.
Result<Model> load_served(const std::string& path, std::uint64_t& base);

}  // namespace suffice::server
