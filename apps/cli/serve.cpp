// suffice serve: models that answer over HTTP.
#include "cli/serve.hpp"

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "server/options.hpp"
#ifdef SUFFICE_SERVER
#include "server/server.hpp"
#endif

namespace suffice::cli {
namespace {

constexpr auto serve_options = [] {
    std::array<OptionSpec, server::option_texts.size()> specs{};
    for (std::size_t k = 0; k < specs.size(); ++k)
        specs[k] = {server::option_texts[k].name, server::option_texts[k].value, server::option_texts[k].help};
    return specs;
}();

#ifdef SUFFICE_SERVER

Result<server::ServerOptions> server_options(const Arguments& arguments, const Context& context) {
    server::ServerOptions options;
    options.models = arguments.files();
    options.threads = std::max(1u, context.thread_count);
    for (const auto& option : serve_options) {
        const std::string name(option.name);
        if (!arguments.has(name)) continue;
        if (auto set = server::set_option(options, name, arguments.text(name)); !set)
            return Error(ErrorKind::usage, name + " " + set.error().message);
    }
    return options;
}

Result<void> run_serve(const Arguments& arguments, const Context& context) {
    const auto options = server_options(arguments, context);
    if (!options) return options.error();
    return server::serve(
        *options, [](std::string_view line) { say(std::string(line) + "\n"); },
        [](const std::string& address, const auto&) { say("listening on " + address + "\n"); });
}

#else

Result<void> run_serve(const Arguments&, const Context&) {
    return Error(ErrorKind::usage, "this build has no server; build it where Boost's headers are installed");
}

#endif

}  // namespace

const Verb serve_verb{
    "serve",
    "MODEL... [--port P] [--learn]",
    "Serves models over HTTP: predictions, explanations and learning. It speaks the Open Inference "
    "Protocol, and takes rows of JSON, CSV or Arrow.\nEach model has the name of its file without "
    "the ending. A file that changes is loaded anew; of a folder every .suf file is served, as they come and go. "
    "SIGTERM ends the server once what is in flight "
    "is answered.",
    "  suffice serve churn.suf spam.suf --port 8080\n"
    "  suffice serve churn.suf --learn --log learned --fsync always\n"
    "  curl -d '{\"rows\": [{\"age\": 41, \"country\": \"NL\"}]}' localhost:8080/v1/models/churn:predict\n",
    {serve_options, running_options, {}, {}},
    run_serve};

}  // namespace suffice::cli
