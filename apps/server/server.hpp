// suffice serve: models that answer over HTTP. This header names no library of sockets.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/base/result.hpp"

namespace suffice::server {

// When rows that were learned reach the disk: before they are acknowledged, every second, or as the system likes. The
// log is handed to the system before the answer in any case, so that a killed server loses nothing.
enum class Sync : std::uint8_t { always, interval, never };

struct Limits {
    std::size_t body_bytes = std::size_t{64} << 20;
    std::size_t rows = 1'000'000;  // of one request
    std::chrono::seconds timeout{30};
    std::size_t connections = 4096;
    std::size_t queue = 256;                        // long requests that wait or run
    std::size_t log_bytes = std::size_t{64} << 20;  // of changes, before a snapshot takes their place
};

struct ServerOptions {
    std::vector<std::string> models;  // files, and folders of them that are watched
    std::string host = "127.0.0.1";
    std::uint16_t port = 8080;  // 0: any that is free
    unsigned threads = 1;
    bool learn = false;
    std::string log = {};  // folder; empty: MODEL.log beside each model
    Sync sync = Sync::interval;
    std::string token_file = {};
    std::string certificate = {}, key = {};  // PEM files; both or none
    std::string access_log = {};             // file; "-": standard error; empty: none
    Limits limits = {};
    bool stops_on_signals = true;  // SIGTERM and SIGINT; not within a program that has its own use for them
};

using Tell = std::function<void(std::string_view)>;  // a line for the operator
// Called once the server listens; `stop` may be called from any thread, also behind the end.
using Ready = std::function<void(const std::string& address, std::function<void()> stop)>;

// Returns once it is stopped and what was in flight is answered.
Result<void> serve(const ServerOptions& options, const Tell& tell, const Ready& ready);

}  // namespace suffice::server
