// A line of JSON for each request.
#pragma once
#include <fstream>
#include <mutex>

#include "server/message.hpp"

namespace suffice::server {

class AccessLog {
public:
    Result<void> open(const std::string& path);  // "-": standard error; empty: nothing is written
    void add(const Request& request, const Response& response, double seconds);

private:
    std::ofstream file_;
    std::mutex guard_;
};

}  // namespace suffice::server
