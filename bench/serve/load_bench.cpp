// Asks a server on the loopback the same request over and over, by many connections of one thread, for some seconds.
// usage: load_bench PORT CONNECTIONS SECONDS RATE REQUEST_FILE    (RATE: requests a second in all; 0: as fast as it
// answers) Prints a record of JSON: requests answered with 200, with others, seconds, percentiles of latencies in
// seconds, and its own seconds of processor. With a rate a latency counts from when the request was due, so that a
// server that falls behind is not spared.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

namespace {

double now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

struct Line {
    int socket = -1;
    double due = 0;        // when its request was
    std::size_t sent = 0;  // bytes of it
    std::string answer = {};
    bool busy = false;
};

struct Counted {
    std::size_t good = 0, others = 0;
    std::vector<double> latencies = {};
};

int connect_to(std::uint16_t port) {
    const int number = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(number, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0) std::perror("connect"), std::exit(1);
    const int one = 1;
    ::setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    ::fcntl(number, F_SETFL, O_NONBLOCK);
    return number;
}

// Bytes of a whole answer at the front; 0: it is not all there.
std::size_t answer_length(const std::string& text) {
    const auto end = text.find("\r\n\r\n");
    if (end == std::string::npos) return 0;
    for (const char* name : {"Content-Length: ", "content-length: "})
        if (const auto at = text.find(name); at < end) {
            const std::size_t whole = end + 4 + std::strtoull(text.c_str() + at + 16, nullptr, 10);
            return text.size() >= whole ? whole : 0;
        }
    return 0;
}

class Load {
public:
    Load(std::uint16_t port, std::size_t count, std::string request)
        : port_(port), request_(std::move(request)), lines_(count) {
        for (std::size_t k = 0; k < count; ++k) {
            lines_[k].socket = connect_to(port_);
            epoll_event event{EPOLLIN | EPOLLOUT | EPOLLET, {.u64 = k}};
            ::epoll_ctl(poll_, EPOLL_CTL_ADD, lines_[k].socket, &event);
            idle_.push_back(k);
        }
    }

    Counted run(double seconds, double rate) {
        const double begin = now(), end = begin + seconds;
        double next = begin;
        std::vector<epoll_event> events(1024);
        while (now() < end) {
            while (!idle_.empty() && (rate == 0 || next <= now())) {
                Line& line = lines_[idle_.front()];
                line = {line.socket, rate == 0 ? now() : next, 0, {}, true};
                const std::size_t which = idle_.front();
                idle_.pop_front();
                next += rate == 0 ? 0 : 1 / rate;
                write(which);
            }
            const int wait = rate == 0 || idle_.empty() ? 10 : next - now() > 0.002 ? 1 : 0;
            const int found = ::epoll_wait(poll_, events.data(), static_cast<int>(events.size()), wait);
            for (int k = 0; k < found; ++k) {
                const auto which = static_cast<std::size_t>(events[static_cast<std::size_t>(k)].data.u64);
                if (!lines_[which].busy) continue;
                write(which);
                read(which);
            }
        }
        return std::move(counted_);
    }

private:
    void write(std::size_t which) {
        Line& line = lines_[which];
        while (line.sent < request_.size()) {
            const auto step =
                ::send(line.socket, request_.data() + line.sent, request_.size() - line.sent, MSG_NOSIGNAL);
            if (step <= 0) return;
            line.sent += static_cast<std::size_t>(step);
        }
    }
    void read(std::size_t which) {
        Line& line = lines_[which];
        char bytes[1 << 16];
        while (true) {
            const auto step = ::recv(line.socket, bytes, sizeof bytes, 0);
            if (step == 0) std::fprintf(stderr, "the server closed a connection\n"), std::exit(1);
            if (step < 0) return;
            line.answer.append(bytes, static_cast<std::size_t>(step));
            if (answer_length(line.answer) == 0) continue;
            ++(line.answer.compare(9, 3, "200") == 0 ? counted_.good : counted_.others);
            counted_.latencies.push_back(now() - line.due);
            line.busy = false;
            idle_.push_back(which);
            return;
        }
    }

    std::uint16_t port_;
    std::string request_;
    std::vector<Line> lines_;
    std::deque<std::size_t> idle_ = {};
    int poll_ = ::epoll_create1(0);
    Counted counted_ = {};
};

}  // namespace

int main(int count, char** words) {
    if (count != 6) return std::fprintf(stderr, "usage: load_bench PORT CONNECTIONS SECONDS RATE REQUEST_FILE\n"), 2;
    std::ifstream file(words[5], std::ios::binary);
    std::string request{std::istreambuf_iterator<char>(file), {}};
    Load load(static_cast<std::uint16_t>(std::atoi(words[1])), static_cast<std::size_t>(std::atoi(words[2])),
              std::move(request));
    const double began = now();
    Counted counted = load.run(std::atof(words[3]), std::atof(words[4]));
    const double seconds = now() - began;
    auto& times = counted.latencies;
    std::sort(times.begin(), times.end());
    const auto at = [&](double share) {
        return times.empty() ? 0.0 : times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    std::printf("{\"good\": %zu, \"others\": %zu, \"seconds\": %.6f, \"p50\": %.9f, \"p99\": %.9f, \"max\": %.9f, ",
                counted.good, counted.others, seconds, at(0.5), at(0.99), at(1));
    std::printf("\"client\": %.6f}\n", static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
    return 0;
}
