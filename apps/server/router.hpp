// Which route answers a request, and who may ask for it.
#pragma once
#include "server/metrics.hpp"
#include "server/served.hpp"
#include "server/tokens.hpp"

namespace suffice::server {

class Router {
public:
    Router(const ServerOptions& options, const ModelTable& models, const Tokens& tokens, const Metrics& metrics,
           const Load& load)
        : options_(options), models_(models), tokens_(tokens), metrics_(metrics), load_(load) {}

    Response answer(const Request& request) const;
    // Takes so long that it must not keep the threads of the network.
    static bool is_long(const Request& request);

private:
    Response get(std::string_view path) const;
    Response model_list() const;
    Response about_model(std::string_view rest, bool post, const Request& request) const;
    Response verb(Served& served, std::string_view name, const Request& request) const;
    std::size_t most_rows(const Served& served) const;
    Right needed(std::string_view verb) const;

    const ServerOptions& options_;
    const ModelTable& models_;
    const Tokens& tokens_;
    const Metrics& metrics_;
    const Load& load_;
};

// What the verbs of /v1/models/NAME:VERB are, for the router and for the description.
inline constexpr std::array<std::string_view, 7> verbs{"predict", "explain", "sample", "learn",
                                                       "forget",  "decay",   "merge"};

// Percent signs of a path as the letters they stand for.
std::string decoded(std::string_view path);

}  // namespace suffice::server
