// Counters and histograms in the text form that Prometheus reads.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>

#include "server/listen.hpp"
#include "server/message.hpp"
#include "server/served.hpp"
#include "server/server.hpp"

namespace suffice::server {

struct Histogram {
    // Upper bounds of latencies in seconds; one more bucket holds the rest.
    static constexpr std::array bounds{0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0};
    std::array<std::uint64_t, bounds.size() + 1> buckets{};
    double seconds = 0;
    void add(double value);
    void add(const Histogram& other);
};

class Metrics {
public:
    void count(const Request& request, const Response& response, double seconds);
    void count_sent(const std::string& model, double seconds);
    std::string text(const Models& models, const Load& load) const;

private:
    using Key = std::pair<std::string, std::string>;  // model, and route or phase
    struct Route {
        std::map<unsigned, std::uint64_t> by_status;
        Histogram time;
        std::uint64_t rows = 0;
    };
    struct Counted {
        std::map<Key, Route> routes;
        std::map<Key, Histogram> phases;
    };
    // Threads count apart, so that they seldom wait for each other.
    struct alignas(64) Shard {
        mutable std::mutex guard;
        Counted counted;
    };
    Shard& own();
    Counted all() const;

    std::array<Shard, 16> shards_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace suffice::server
