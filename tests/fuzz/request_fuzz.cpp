// Feeds arbitrary requests to the routes of `suffice serve`, as they are once they are off the wire: an answer comes,
// it is never the server's fault, what says that it is JSON is, and a model that learned is put back for the next.
//
// An input is text: METHOD PATH?QUERY, media type, accepted types, length of the JSON before raw tensors, each on its
// line, then the body.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

#include "server/learn.hpp"
#include "server/router.hpp"
#include "server/watch.hpp"
#include <nlohmann/json.hpp>

#include "suffice/suffice.hpp"

namespace {

using namespace suffice;
using namespace suffice::server;

// One of numbers and categories, which needs no reader, and one of a text and a date, which does.
bool write_models(const std::string& folder) {
    Table flat, read;
    flat.numbers("age", {23, 41, 37, 58, 29, 62, 33, 47})
        .words("plan", {"free", "paid", "free", "1", "", "paid", "1", "paid"});
    flat.words("stays", {"no", "yes", "yes", "yes", "no", "yes", "no", "no"});
    read.words("note", {"win money now please", "meeting at noon today", "win a prize at once", "noon is fine with me",
                        "money money money here", "see you at the meeting"});
    read.words("when", {"2024-01-02", "2024-02-03", "2024-01-09", "2024-03-04", "2024-01-05", "2024-02-11"});
    read.words("kind", {"spam", "ham", "spam", "ham", "spam", "ham"});
    const auto first = fit(flat, {.target = "stays"});
    const auto second = fit(read, {.target = "kind"});
    return first && second && save(*first, folder + "/flat.suf") && save(*second, folder + "/read.suf");
}

// As long as the process lives.
struct Site {
    std::string folder;
    ServerOptions options;
    ModelTable models;
    Tell tell = [](std::string_view) {};
    Watch watch{options, models, tell};
    Tokens tokens{Right::admin};
    Metrics metrics;
    Load load;
    Router router{options, models, tokens, metrics, load};
    std::map<std::string, Model> first;

    Site() {
        char name[] = "/tmp/request_fuzz.XXXXXX";
        if (::mkdtemp(name) == nullptr || !write_models(name)) std::abort();
        folder = name;
        options.models = {folder + "/flat.suf", folder + "/read.suf"};
        options.learn = true;
        options.log = folder + "/log";
        options.sync = Sync::never;
        options.limits.rows = 200;
        options.limits.log_bytes = 1 << 20;
        if (!watch.load_all()) std::abort();
        const auto loaded = models.now();
        for (const auto& [known, served] : *loaded) first.emplace(known, served->now()->model);
    }
    ~Site() { std::filesystem::remove_all(folder); }
};

std::string_view line_of(std::string_view& text) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

Request request_of(std::string_view text) {
    Request made;
    const auto first = line_of(text);
    made.method = first.substr(0, first.find(' '));
    const auto target = first.substr(std::min(made.method.size() + 1, first.size()));
    made.path = target.substr(0, target.find('?'));
    made.query = target.substr(std::min(made.path.size() + 1, target.size()));
    made.content_type = line_of(text);
    made.accept = line_of(text);
    if (const std::string length(line_of(text)); !length.empty())
        made.json_bytes = std::strtoull(length.c_str(), nullptr, 10);
    made.body = text;
    return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static Site site;
    const Request request = request_of({reinterpret_cast<const char*>(data), size});
    const Response answer = site.router.answer(request);
    if (answer.status >= 500 && answer.status != 503) std::abort();
    if (answer.content_type.ends_with("json") && !nlohmann::json::accept(answer.body)) std::abort();
    site.metrics.count(request, answer, 0);
    static std::uint64_t count = 0;
    const auto models = site.models.now();
    for (const auto& [name, served] : *models) {
        if (++count % 512 < 2) served->asked.fold();
        if (served->now()->sequence > 0) served->put(site.first.at(name), 0);
    }
    return 0;
}
