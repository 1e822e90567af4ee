// One connection on Boost.Beast, plain or under TLS: reads a request within limits, has it answered, writes the answer.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#ifdef SUFFICE_TLS
#include <boost/beast/ssl.hpp>
#endif

#include "server/listen.hpp"

namespace suffice::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;
// Each connection's. Its type is spelled out: an executor that could be any costs a tenth of a short request.
using Strand = asio::strand<asio::io_context::executor_type>;
using Socket = asio::basic_stream_socket<tcp, Strand>;

inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}
inline std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

class OpenConnection {
public:
    virtual ~OpenConnection() = default;
    virtual void stop() = 0;  // nothing more is read; an answer that is being made still goes out
    virtual void look_at_time(Clock::time_point now) = 0;  // ends what has taken too long
};

// What all connections share.
struct Hub {
    const ServerOptions& options;
    const Answers& answers;
    Load& load;
    std::atomic<std::uint64_t> next_id{1};
    std::atomic<bool> stopping{false};
    std::mutex guard = {};
    std::set<std::weak_ptr<OpenConnection>, std::owner_less<>> open = {};
    asio::io_context network;    // behind what connections touch when they end with it
    asio::thread_pool settlers;  // wait for the disk while workers make the changes that its next sync takes along
    asio::thread_pool workers;

    Hub(const ServerOptions& given, const Answers& how, Load& load_)
        : options(given),
          answers(how),
          load(load_),
          network(static_cast<int>(given.threads)),
          settlers(given.threads),
          workers(given.threads) {}
    // Together bodies take no more than this, however many connections there are.
    std::size_t most_body_bytes() const { return 16 * options.limits.body_bytes; }
};

template <class Stream>
class Connection final : public OpenConnection, public std::enable_shared_from_this<Connection<Stream>> {
    static constexpr bool encrypted = !std::is_same_v<Stream, Socket>;

public:
    template <class... Context>
    Connection(Socket&& socket, Hub& hub, Context&... context) : stream_(std::move(socket), context...), hub_(hub) {
        ++hub_.load.connections;
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() override {
        give_room_back();
        --hub_.load.connections;
        const std::scoped_lock lock(hub_.guard);
        hub_.open.erase(own_);
    }

    void start(bool refused) {
        {
            const std::scoped_lock lock(hub_.guard);
            hub_.open.insert(own_ = this->weak_from_this());
        }
        asio::dispatch(stream_.get_executor(), [self = this->shared_from_this(), refused] {
            beast::error_code ignored;
            auto& socket = self->lowest();
            socket.set_option(tcp::no_delay(true), ignored);
            socket.non_blocking(true, ignored);
            if (const auto other = socket.remote_endpoint(ignored); !ignored)
                self->client_ = other.address().to_string();
            self->greet(refused);
        });
    }
    void stop() override {
        asio::post(stream_.get_executor(), [self = this->shared_from_this()] {
            if (self->reading_) self->cancel();
        });
    }
    void look_at_time(Clock::time_point now) override {
        if (now.time_since_epoch().count() < end_) return;
        asio::post(stream_.get_executor(), [self = this->shared_from_this()] {
            if (Clock::now().time_since_epoch().count() >= self->end_) self->cancel();
        });
    }

private:
    Socket& lowest() { return beast::get_lowest_layer(stream_); }
    void cancel() {
        beast::error_code ignored;
        lowest().cancel(ignored);
    }
    // What comes next must be done by then. One look a second at all connections; a timer for each step of each request
    // would cost a short one a tenth of its time.
    void ends_after(Clock::duration time) { end_ = (Clock::now() + time).time_since_epoch().count(); }

    void greet(bool refused) {
        if constexpr (encrypted) {
            if (refused) return;
            ends_after(hub_.options.limits.timeout);
#ifdef SUFFICE_TLS
            stream_.async_handshake(asio::ssl::stream_base::server,
                                    [self = this->shared_from_this()](beast::error_code problem) {
                                        if (!problem) self->read();
                                    });
#endif
        } else {
            if (refused) return refuse(503, "too many connections are open; try again later");
            read();
        }
    }

    void read() {
        if (hub_.stopping) return close();
        parser_.emplace();
        parser_->body_limit(hub_.options.limits.body_bytes);
        parser_->header_limit(16 << 10);
        ends_after(hub_.options.limits.timeout);  // for the whole request, however slowly it drips in
        reading_ = true;
        http::async_read_header(stream_, buffer_, *parser_,
                                [self = this->shared_from_this()](beast::error_code problem, std::size_t) {
                                    if (problem) return self->misread(problem);
                                    self->take_body();
                                });
    }

    // A body must find room beside those of the others before it is read.
    void take_body() {
        if (parser_->is_done()) return have_read();
        const auto length = parser_->content_length();
        const std::size_t wanted = length ? static_cast<std::size_t>(*length) : hub_.options.limits.body_bytes;
        if (hub_.load.body_bytes.fetch_add(wanted) + wanted > hub_.most_body_bytes()) {
            hub_.load.body_bytes -= wanted;
            return refuse(429, "too many long requests come in at once; try again after a second");
        }
        room_ = wanted;
        if (!beast::iequals(parser_->get()[http::field::expect], "100-continue")) return read_body();
        go_on_ = http::response<http::empty_body>{http::status::continue_, 11};
        http::async_write(stream_, go_on_, [self = this->shared_from_this()](beast::error_code problem, std::size_t) {
            if (problem) return self->close();
            self->read_body();
        });
    }

    void read_body() {
        if (!take_what_is_there()) return;
        buffer_.reserve(std::min(room_, most_at_once));  // else it is read by halves of a kilobyte
        http::async_read(stream_, buffer_, *parser_,
                         [self = this->shared_from_this()](beast::error_code problem, std::size_t) {
                             if (problem) return self->misread(problem);
                             self->have_read();
                         });
    }

    // A short body comes with its header. True: there is more to be read.
    bool take_what_is_there() {
        parser_->eager(true);
        while (buffer_.size() > 0 && !parser_->is_done()) {
            beast::error_code problem;
            buffer_.consume(parser_->put(buffer_.data(), problem));
            if (problem == http::error::need_more) return true;
            if (problem) {
                misread(problem);
                return false;
            }
        }
        if (!parser_->is_done()) return true;
        have_read();
        return false;
    }

    void have_read() {
        reading_ = false;
        started_ = Clock::now();
        end_ = never;
        message_ = parser_->release();
        const auto target = view(message_.target());
        request_ = {view(message_.method_string()),
                    target.substr(0, target.find('?')),
                    view(message_[http::field::content_type]),
                    view(message_[http::field::accept]),
                    view(message_[http::field::authorization]),
                    {},
                    message_.body()};
        if (const auto mark = target.find('?'); mark != std::string_view::npos)
            request_.query = target.substr(mark + 1);
        request_.client = client_;
        request_.trace = view(message_["traceparent"]);
        const auto asked = message_["X-Request-Id"];
        id_ = !asked.empty() && asked.size() <= 128 ? asked.to_string() : std::to_string(hub_.next_id++);
        request_.id = id_;
        if (const auto bytes = view(message_["Inference-Header-Content-Length"]); !bytes.empty())
            request_.json_bytes = std::strtoull(std::string(bytes).c_str(), nullptr, 10);
        if (!hub_.answers.is_long(request_)) return send(hub_.answers.answer(request_));
        wait_for_worker();
    }

    void wait_for_worker() {
        if (hub_.load.waiting.fetch_add(1) >= hub_.options.limits.queue) {
            --hub_.load.waiting;
            return send(busy(429, "the server is busy; try again after a second"));
        }
        asio::post(hub_.workers, [self = this->shared_from_this()] {
            const double waited = seconds_since(self->started_);
            const bool late = Clock::now() - self->started_ > self->hub_.options.limits.timeout;
            auto answer = std::make_shared<Response>(
                late ? busy(503, "the request waited longer than the time limit; try again later")
                     : self->hub_.answers.answer(self->request_));
            answer->phases.push_back({Phase::queue, waited});
            --self->hub_.load.waiting;
            if (!answer->settle) return self->send_later(answer);
            asio::post(self->hub_.settlers, [self, answer] {
                Stopwatch watch;
                if (auto settled = std::exchange(answer->settle, {})(); !settled) {
                    Response failed = problem(settled.error());
                    failed.model = std::move(answer->model);
                    *answer = std::move(failed);
                }
                answer->phases.push_back(watch.lap(Phase::sync));
                self->send_later(answer);
            });
        });
    }

    void send_later(const std::shared_ptr<Response>& answer) {
        asio::post(stream_.get_executor(),
                   [self = this->shared_from_this(), answer] { self->send(std::move(*answer)); });
    }

    static Response busy(unsigned status, std::string_view detail) {
        Response answer = problem(status, detail);
        answer.headers.emplace_back("Retry-After", "1");
        return answer;
    }

    void misread(beast::error_code problem) {
        reading_ = false;
        if (problem == http::error::body_limit)
            return refuse(413, "the body is longer than " + std::to_string(hub_.options.limits.body_bytes) + " bytes");
        if (problem == http::error::header_limit) return refuse(431, "the header is too long");
        if (problem == beast::error::timeout || problem == http::error::end_of_stream ||
            problem.category() != make_error_code(http::error::bad_method).category())
            return close();
        refuse(400, "this is not HTTP/1.1: " + problem.message());
    }

    // The rest of the request is not read, so the connection ends.
    void refuse(unsigned status, std::string_view detail) {
        reading_ = false;
        unread_ = true;
        started_ = Clock::now();
        message_ = {};
        message_.keep_alive(false);
        request_ = {};
        request_.client = client_;
        request_.id = id_ = std::to_string(hub_.next_id++);
        send(status == 429 || status == 503 ? busy(status, detail) : problem(status, detail));
    }

    void send(Response answer) {
        keeps_ = message_.keep_alive() && !hub_.stopping;
        write_head(answer);
        hub_.answers.answered(request_, answer, seconds_since(started_));
        if (request_.method == "HEAD") answer.body.clear();
        body_ = std::move(answer.body);
        model_ = std::move(answer.model);
        started_ = Clock::now();
        ends_after(hub_.options.limits.timeout);
        write();
    }

    // At once as far as the system takes it, which is all of a short answer.
    void write() {
        std::size_t done = 0;
        if constexpr (!encrypted) {
            beast::error_code problem;
            done = stream_.write_some(std::array{asio::buffer(head_), asio::buffer(body_)}, problem);
            if (problem && problem != asio::error::would_block) return sent(problem);
            if (done == head_.size() + body_.size()) return sent({});
        }
        const std::size_t of_head = std::min(done, head_.size());
        asio::async_write(
            stream_, std::array{asio::buffer(head_) + of_head, asio::buffer(body_) + (done - of_head)},
            [self = this->shared_from_this()](beast::error_code problem, std::size_t) { self->sent(problem); });
    }

    // Text at once: Beast's serializer walks over its fields as a sequence of buffers for every byte that it sends.
    void write_head(const Response& answer) {
        const auto reason = http::obsolete_reason(static_cast<http::status>(answer.status));
        head_ = "HTTP/1.1 " + std::to_string(answer.status) + ' ';
        head_.append(reason.data(), reason.size()) += "\r\nServer: suffice";
        const auto field = [&](std::string_view name, std::string_view value) {
            head_.append("\r\n").append(name).append(": ").append(value);
        };
        field("Content-Type", answer.content_type);
        field("X-Content-Type-Options", "nosniff");
        for (const auto& [name, value] : answer.headers) field(name, value);
        field("X-Request-Id", id_);
        if (!request_.trace.empty()) field("traceparent", request_.trace);
        if (!keeps_) field("Connection", "close");
        if (keeps_ && message_.version() == 10) field("Connection", "keep-alive");  // which is not their way otherwise
        field("Content-Length", std::to_string(answer.body.size()));
        head_ += "\r\n\r\n";
    }

    void sent(beast::error_code problem) {
        if (!problem) hub_.answers.sent(model_, seconds_since(started_));
        message_.body() = {};
        body_ = {};
        if (room_ > most_kept) buffer_.shrink_to_fit();
        give_room_back();
        if (problem || !keeps_) return close();
        read();
    }

    void give_room_back() { hub_.load.body_bytes -= std::exchange(room_, 0); }

    void close() {
        if constexpr (encrypted) {
#ifdef SUFFICE_TLS
            ends_after(std::chrono::seconds(2));
            stream_.async_shutdown([self = this->shared_from_this()](beast::error_code) {});
#endif
        } else {
            beast::error_code ignored;
            stream_.shutdown(tcp::socket::shutdown_send, ignored);
            if (!unread_) return;
            ends_after(std::chrono::seconds(2));
            let_drain();
        }
    }

    // Whoever is still sending would lose the answer if the socket were closed on what was not read.
    void let_drain() {
        buffer_.clear();
        stream_.async_read_some(buffer_.prepare(64 << 10),
                                [self = this->shared_from_this()](beast::error_code problem, std::size_t) {
                                    if (!problem) self->let_drain();
                                });
    }

    Stream stream_;
    Hub& hub_;
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::string_body>> parser_;
    http::request<http::string_body> message_;
    http::response<http::empty_body> go_on_;
    Request request_;
    std::string client_, id_, model_, head_, body_;
    static constexpr std::size_t most_at_once = 64 << 10, most_kept = 4 << 10;  // bytes read, and between requests
    static constexpr Clock::rep never = std::numeric_limits<Clock::rep>::max();
    std::atomic<Clock::rep> end_{never};  // read by who looks at the time
    Clock::time_point started_;           // when the request was in, then when its answer went out
    std::size_t room_ = 0;                // of its body
    std::weak_ptr<OpenConnection> own_;
    bool reading_ = false, unread_ = false, keeps_ = true;
};

}  // namespace suffice::server
