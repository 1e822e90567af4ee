// What a request and its answer are once they are off the wire: plain values, so that routes know no sockets.
#pragma once
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suffice/base/result.hpp"

namespace suffice::server {

struct Request {
    std::string_view method, path, content_type, accept, authorization;
    std::optional<std::size_t> json_bytes = {};  // of infer: where the JSON ends and raw tensors begin
    std::string_view body = {};
    std::string_view query = {};                        // of the address, behind the question mark
    std::string_view client = {}, id = {}, trace = {};  // who asks, by which id, within which trace
};

// What the time of a request went to.
enum class Phase : std::uint8_t { queue, parse, score, render, sync, send };
inline constexpr std::array<std::string_view, 6> phase_names{"queue", "parse", "score", "render", "sync", "send"};
struct PhaseTime {
    Phase phase;
    double seconds;
};

struct Response {
    unsigned status = 200;
    std::string content_type = "application/json";
    std::string body = {};
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string model = {};  // whom it was about, for the counters
    std::size_t rows = 0;
    std::vector<PhaseTime> phases = {};
    // Returns when what was changed is as safe as was asked for. It waits for the disk, so a thread that has nothing
    // else to do calls it before the answer goes out; none: there is nothing to wait for.
    std::function<Result<void>()> settle = {};
};

// Cuts the time of a request into phases.
class Stopwatch {
public:
    PhaseTime lap(Phase phase) {
        const auto now = std::chrono::steady_clock::now();
        return {phase, std::chrono::duration<double>(now - std::exchange(last_, now)).count()};
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// RFC 9457: a body that programs can read, `detail` is the sentence for people.
Response problem(unsigned status, std::string_view detail);
Response problem(const Error& error);
Response too_many_rows(std::size_t most);

// "text/csv; charset=utf-8" -> "text/csv"
std::string_view media_type(std::string_view header);

}  // namespace suffice::server
