// The only door to the network: takes connections, reads requests within limits, writes answers.
#pragma once
#include <atomic>
#include <functional>

#include "server/message.hpp"
#include "server/server.hpp"

namespace suffice::server {

// How busy the door is at this moment; written here, told by the metrics.
struct Load {
    std::atomic<std::size_t> waiting{0};      // long requests that wait or run
    std::atomic<std::size_t> connections{0};  // open
    std::atomic<std::size_t> body_bytes{0};   // room that bodies have or were promised
};

struct Answers {
    std::function<Response(const Request&)> answer;  // any thread
    std::function<bool(const Request&)> is_long;     // runs beside the threads of the network
    std::function<void(const Request&, const Response&, double seconds)> answered;  // before it is sent
    std::function<void(const std::string& model, double seconds)> sent;
    std::function<void()> each_second;
};

// Until it is stopped; then no connection is taken any more and what is in flight is answered. `ready` is as for serve.
Result<void> listen(const ServerOptions& options, const Answers& answers, Load& load, const Ready& ready);

}  // namespace suffice::server
