// suffice serve from start to end: models, logs, routes, connections.
#include "server/server.hpp"

#include "server/access_log.hpp"
#include "server/learn.hpp"
#include "server/listen.hpp"
#include "server/router.hpp"
#include "server/watch.hpp"

namespace suffice::server {
namespace {

bool is_loopback(const std::string& host) { return host == "localhost" || host == "::1" || host.starts_with("127."); }

Result<Tokens> tokens_of(const ServerOptions& options) {
    if (!options.token_file.empty()) return Tokens::from_file(options.token_file);
    if (const char* given = std::getenv("SUFFICE_TOKENS"); given != nullptr && *given != '\0')
        return Tokens::from_text(given, "SUFFICE_TOKENS");
    if (!is_loopback(options.host))
        return Error(ErrorKind::usage,
                     "a server that others can reach needs tokens: --token-file FILE or SUFFICE_TOKENS");
    return Tokens(options.learn ? Right::admin : Right::read);
}

Result<void> check_options(const ServerOptions& options) {
    if (options.models.empty()) return Error(ErrorKind::usage, "name a model to serve, such as churn.suf");
    if (options.certificate.empty() != options.key.empty())
        return Error(ErrorKind::usage, "TLS needs both the certificate and its key");
    return {};
}

}  // namespace

Result<void> serve(const ServerOptions& options, const Tell& tell, const Ready& ready) {
    if (auto good = check_options(options); !good) return good;
    const auto tokens = tokens_of(options);
    if (!tokens) return tokens.error();
    AccessLog access;
    if (auto opened = access.open(options.access_log); !opened) return opened;
    ModelTable models;
    Watch watch(options, models, tell);
    if (auto loaded = watch.load_all(); !loaded) return loaded;
    Metrics metrics;
    Load load;
    const Router router(options, models, *tokens, metrics, load);
    Answers answers;
    answers.answer = [&](const Request& request) {
        try {
            return router.answer(request);
        } catch (const std::exception& failed) {
            return problem(500, std::string("the computation failed: ") + failed.what());
        }
    };
    answers.is_long = Router::is_long;
    answers.answered = [&](const Request& request, const Response& response, double seconds) {
        metrics.count(request, response, seconds);
        access.add(request, response, seconds);
    };
    answers.sent = [&](const std::string& model, double seconds) { metrics.count_sent(model, seconds); };
    answers.each_second = [&] { watch.look(); };
    if (auto listened = listen(options, answers, load, ready); !listened) return listened;
    const auto last = models.now();
    for (const auto& [name, served] : *last)
        if (served->journal)
            if (auto saved = snapshot(*served); !saved) return saved;
    return {};
}

}  // namespace suffice::server
