// Takes connections until it is told to stop; each has a strand, and all of them share a few threads.
#include "server/listen.hpp"

#include <thread>

#include "server/connection.hpp"
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

namespace suffice::server {
namespace {

#ifdef SUFFICE_TLS
using TlsContext = asio::ssl::context;

// Certificate chain and key, both in PEM. TLS 1.2 and later.
Result<void> set_up_tls(TlsContext& context, const ServerOptions& options) {
    beast::error_code problem;
    const auto refused = [&](const std::string& what, const std::string& file) -> Result<void> {
        return Error(ErrorKind::usage, what + ": " + problem.message()).in_file(file);
    };
    if (context.set_options(TlsContext::default_workarounds | TlsContext::no_sslv2 | TlsContext::no_sslv3 |
                                TlsContext::no_tlsv1 | TlsContext::no_tlsv1_1 | TlsContext::single_dh_use,
                            problem))
        return refused("TLS 1.2 cannot be had", options.certificate);
    if (context.use_certificate_chain_file(options.certificate, problem))
        return refused("the certificate cannot be read as PEM", options.certificate);
    if (context.use_private_key_file(options.key, TlsContext::pem, problem))
        return refused("the key cannot be read as PEM, or is not the certificate's", options.key);
    if (SSL_CTX_check_private_key(context.native_handle()) != 1)
        return Error(ErrorKind::usage, "the key is not the certificate's").in_file(options.key);
    return {};
}
#else
struct TlsContext {};
#endif

struct Door {
    tcp::acceptor acceptor;
    TlsContext* tls;  // null: plain
};

void take(Socket socket, Hub& hub, TlsContext* tls) {
    const bool full = hub.load.connections >= hub.options.limits.connections;
#ifdef SUFFICE_TLS
    if (tls != nullptr)
        return std::make_shared<Connection<beast::ssl_stream<Socket>>>(std::move(socket), hub, *tls)->start(full);
#endif
    (void)tls;
    std::make_shared<Connection<Socket>>(std::move(socket), hub)->start(full);
}

void take_next(Door& door, asio::steady_timer& pause, Hub& hub) {
    door.acceptor.async_accept(asio::make_strand(hub.network.get_executor()),
                               [&](beast::error_code problem, Socket socket) {
                                   if (hub.stopping || problem == asio::error::operation_aborted) return;
                                   if (!problem) take(std::move(socket), hub, door.tls);
                                   if (problem != asio::error::no_descriptors) return take_next(door, pause, hub);
                                   pause.expires_after(std::chrono::milliseconds(50));  // until one of them is closed
                                   pause.async_wait([&](beast::error_code) {
                                       if (!hub.stopping) take_next(door, pause, hub);
                                   });
                               });
}

std::vector<std::shared_ptr<OpenConnection>> all_open(Hub& hub) {
    std::vector<std::shared_ptr<OpenConnection>> all;  // outlives the lock, which the end of a connection takes
    const std::scoped_lock lock(hub.guard);
    for (const auto& each : hub.open)
        if (auto alive = each.lock()) all.push_back(std::move(alive));
    return all;
}

void look_at_time(Hub& hub) {
    const auto now = Clock::now();
    for (const auto& each : all_open(hub)) each->look_at_time(now);
}

void tick(asio::steady_timer& timer, Hub& hub) {
    timer.expires_after(std::chrono::seconds(1));
    timer.async_wait([&](beast::error_code problem) {
        if (problem || hub.stopping) return;
        look_at_time(hub);
        asio::post(hub.workers, [&hub] { hub.answers.each_second(); });
        tick(timer, hub);
    });
}

// Ends the network once the last connection is gone, or patience.
void drain(asio::steady_timer& timer, Hub& hub, Clock::time_point end) {
    timer.expires_after(std::chrono::milliseconds(20));
    timer.async_wait([&, end](beast::error_code) {
        if (hub.load.connections == 0 || Clock::now() > end) return hub.network.stop();
        look_at_time(hub);
        drain(timer, hub, end);
    });
}

Result<void> open_door(tcp::acceptor& door, const ServerOptions& options) {
    beast::error_code problem;
    const auto address = asio::ip::make_address(options.host == "localhost" ? "127.0.0.1" : options.host, problem);
    if (problem)
        return Error(ErrorKind::usage, "the host is an address such as 127.0.0.1 or ::1, not \"" + options.host + "\"");
    const tcp::endpoint where(address, options.port);
    if (door.open(where.protocol(), problem) || door.set_option(asio::socket_base::reuse_address(true), problem) ||
        door.bind(where, problem) || door.listen(asio::socket_base::max_listen_connections, problem))
        return Error(ErrorKind::io, "port " + std::to_string(options.port) + " of " + options.host +
                                        " cannot be opened: " + problem.message());
    return {};
}

std::string address_of(const Door& door, const ServerOptions& options) {
    const std::string host = options.host.find(':') == std::string::npos ? options.host : "[" + options.host + "]";
    return (door.tls != nullptr ? "https://" : "http://") + host + ":" +
           std::to_string(door.acceptor.local_endpoint().port());
}

// Lets others stop the server while it runs, and does nothing behind its end.
struct Bell {
    std::mutex guard;
    std::function<void()> ring;
};

Result<void> run(Hub& hub, Door& door, const Ready& ready) {
    asio::steady_timer second(hub.network), patience(hub.network), pause(hub.network);
    const auto stop = [&] {
        if (hub.stopping.exchange(true)) return;
        second.cancel();
        asio::post(door.acceptor.get_executor(), [&] {
            beast::error_code ignored;
            [[maybe_unused]] const auto closed = door.acceptor.close(ignored);
        });
        for (const auto& each : all_open(hub)) each->stop();
        drain(patience, hub, Clock::now() + hub.options.limits.timeout);
    };
    std::optional<asio::signal_set> signals;
    if (hub.options.stops_on_signals) {
        signals.emplace(hub.network, SIGINT, SIGTERM);
        signals->async_wait([&](beast::error_code problem, int) {
            if (!problem) stop();
        });
    }
    take_next(door, pause, hub);
    tick(second, hub);
    const auto bell = std::make_shared<Bell>();
    bell->ring = [&] { asio::post(hub.network, stop); };
    ready(address_of(door, hub.options), [bell] {
        const std::scoped_lock lock(bell->guard);
        if (bell->ring) bell->ring();
    });
    std::vector<std::jthread> others;
    for (unsigned k = 1; k < hub.options.threads; ++k) others.emplace_back([&hub] { hub.network.run(); });
    hub.network.run();
    others.clear();
    hub.workers.join();
    hub.settlers.join();
    const std::scoped_lock lock(bell->guard);
    bell->ring = {};
    return {};
}

}  // namespace

Result<void> listen(const ServerOptions& options, const Answers& answers, Load& load, const Ready& ready) {
#ifdef SUFFICE_TLS
    TlsContext context(TlsContext::tls_server);
#endif
    Hub hub(options, answers, load);
    Door door{tcp::acceptor(asio::make_strand(hub.network)), nullptr};
    if (!options.certificate.empty()) {
#ifdef SUFFICE_TLS
        if (auto set = set_up_tls(context, options); !set) return set;
        door.tls = &context;
#else
        return Error(ErrorKind::usage, "this build has no TLS; build it where OpenSSL's headers are installed");
#endif
    }
    if (auto opened = open_door(door.acceptor, options); !opened) return opened;
    return run(hub, door, ready);
}

}  // namespace suffice::server
