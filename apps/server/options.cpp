// Words to options of the server.
#include "server/options.hpp"

#include <algorithm>
#include <charconv>

#include "server/server.hpp"

namespace suffice::server {
namespace {

Result<std::uint64_t> whole_number(const std::string& text, std::uint64_t least, std::uint64_t most) {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    if (const auto read = std::from_chars(text.data(), end, value);
        text.empty() || read.ec != std::errc() || read.ptr != end || value < least || value > most)
        return Error(ErrorKind::usage, "takes a whole number from " + std::to_string(least) + " to " +
                                           std::to_string(most) + ", not \"" + text + "\"");
    return value;
}

Result<void> set_sync(ServerOptions& options, const std::string& value) {
    constexpr std::array<std::string_view, 3> policies{"always", "interval", "never"};
    const auto found = std::ranges::find(policies, value);
    if (found == policies.end())
        return Error(ErrorKind::usage, "takes always, interval or never, not \"" + value + "\"");
    options.sync = static_cast<Sync>(found - policies.begin());
    return {};
}

Result<void> set_limit(ServerOptions& options, std::string_view name, const std::string& value) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    const auto number =
        name == "--port" ? whole_number(value, 0, 65535) : whole_number(value, 1, name == "--timeout" ? 86400 : most);
    if (!number) return number.error();
    Limits& limits = options.limits;
    if (name == "--port")
        options.port = static_cast<std::uint16_t>(*number);
    else if (name == "--timeout")
        limits.timeout = std::chrono::seconds(*number);
    else
        (name == "--max-body"          ? limits.body_bytes
         : name == "--max-rows"        ? limits.rows
         : name == "--snapshot-after"  ? limits.log_bytes
         : name == "--max-connections" ? limits.connections
                                       : limits.queue) = *number;
    return {};
}

}  // namespace

Result<void> set_option(ServerOptions& options, std::string_view name, const std::string& value) {
    std::string* const text = name == "--host"          ? &options.host
                              : name == "--log"         ? &options.log
                              : name == "--token-file"  ? &options.token_file
                              : name == "--certificate" ? &options.certificate
                              : name == "--key"         ? &options.key
                              : name == "--access-log"  ? &options.access_log
                                                        : nullptr;
    if (text != nullptr)
        *text = value;
    else if (name == "--learn")
        options.learn = true;
    else if (name == "--fsync")
        return set_sync(options, value);
    else
        return set_limit(options, name, value);
    return {};
}

}  // namespace suffice::server
