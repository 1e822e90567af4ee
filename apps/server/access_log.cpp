// Who asked for what, and how it went. Bodies and tokens are never written.
#include "server/access_log.hpp"

#include <nlohmann/json.hpp>

namespace suffice::server {

Result<void> AccessLog::open(const std::string& path) {
    if (path.empty()) return {};
    file_.open(path == "-" ? "/dev/stderr" : path, std::ios::app);
    if (!file_) return Error(ErrorKind::usage, "the access log cannot be written").in_file(path);
    return {};
}

void AccessLog::add(const Request& request, const Response& response, double seconds) {
    if (!file_.is_open()) return;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    nlohmann::json line{{"time", std::chrono::duration<double>(now).count()},
                        {"id", request.id},
                        {"client", request.client},
                        {"method", request.method},
                        {"path", request.path},
                        {"status", response.status},
                        {"model", response.model},
                        {"rows", response.rows},
                        {"bytes_in", request.body.size()},
                        {"bytes_out", response.body.size()},
                        {"seconds", seconds}};
    if (!request.trace.empty()) line["traceparent"] = request.trace;
    for (const auto& [phase, time] : response.phases)
        line["phases"][std::string(phase_names[static_cast<std::size_t>(phase)])] = time;
    const std::string text = line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    const std::scoped_lock lock(guard_);
    file_ << text << std::flush;
}

}  // namespace suffice::server
