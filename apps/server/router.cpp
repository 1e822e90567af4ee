// Paths to routes. A name in a path is only ever looked for among the models, so no path leads to a file.
#include "server/router.hpp"

#include <algorithm>

#include "server/description.hpp"
#include "server/infer.hpp"
#include "server/learn.hpp"
#include "server/openapi.hpp"
#include "server/page.hpp"
#include "server/predict.hpp"
#include <nlohmann/json.hpp>

namespace suffice::server {
namespace {

constexpr std::size_t short_body = 64 << 10;

Response not_found(std::string_view path) {
    return problem(404, "there is nothing at " + decoded(path) + "; /openapi.json describes what there is");
}

Response wrong_method(std::string allowed) {
    Response answer = problem(405, "this is asked for by " + allowed);
    answer.headers.emplace_back("Allow", std::move(allowed));
    return answer;
}

int hex_digit(char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    const char small = static_cast<char>(letter | 0x20);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

}  // namespace

std::string decoded(std::string_view path) {
    std::string text;
    for (std::size_t k = 0; k < path.size(); ++k) {
        const int high = path[k] == '%' && k + 2 < path.size() ? hex_digit(path[k + 1]) : -1;
        const int low = high >= 0 ? hex_digit(path[k + 2]) : -1;
        if (low < 0) {
            text += path[k];
        } else {
            text += static_cast<char>(high * 16 + low);
            k += 2;
        }
    }
    return text;
}

bool Router::is_long(const Request& request) {
    if (request.body.size() > short_body) return true;
    const auto colon = request.path.rfind(':');
    if (colon == std::string_view::npos) return false;
    const auto verb = request.path.substr(colon + 1);
    return verb != "predict" && verb != "explain";
}

Right Router::needed(std::string_view verb) const {
    const auto place = static_cast<std::size_t>(std::ranges::find(verbs, verb) - verbs.begin());
    if (place < 3 || place == verbs.size()) return Right::read;
    return place < 5 ? Right::learn : Right::admin;
}

Response Router::answer(const Request& request) const {
    const bool post = request.method == "POST", get_or_head = request.method == "GET" || request.method == "HEAD";
    if (request.path.starts_with("/v2/health/")) {
        if (!get_or_head) return wrong_method("GET");
        if (request.path == "/v2/health/live") return {200, "application/json", "{\"live\":true}"};
        if (request.path == "/v2/health/ready") return {200, "application/json", "{\"ready\":true}"};
        return not_found(request.path);
    }
    if (auto page = page_file(request.path)) return get_or_head ? std::move(*page) : wrong_method("GET");
    const auto colon = request.path.rfind(':');
    const Right want = colon == std::string_view::npos ? Right::read : needed(request.path.substr(colon + 1));
    if (const Right has = tokens_.right_of(request.authorization); has == Right::none) {
        Response refused = problem(401, "send a token as Authorization: Bearer TOKEN");
        refused.headers.emplace_back("WWW-Authenticate", "Bearer");
        return refused;
    } else if (has < want) {
        return problem(403, tokens_.empty() ? "learning is not open; start the server with --learn"
                                            : "the token does not have this right");
    }
    for (const std::string_view start : {"/v1/models/", "/v2/models/"}) {
        if (!request.path.starts_with(start)) continue;
        if (!post && !get_or_head) return wrong_method("GET, POST");
        return about_model(request.path, post, request);
    }
    const Response found = get(request.path);
    return found.status != 404 && !get_or_head ? wrong_method("GET") : found;
}

Response Router::get(std::string_view path) const {
    if (path == "/v2" || path == "/v2/") return server_metadata();
    if (path == "/v1/models") return model_list();
    if (path == "/metrics")
        return {200, "text/plain; version=0.0.4; charset=utf-8", metrics_.text(*models_.now(), load_)};
    if (path == "/openapi.json") return {200, "application/json", openapi(*models_.now(), !tokens_.empty())};
    return not_found(path);
}

Response Router::model_list() const {
    Json list = Json::array();
    const auto models = models_.now();
    for (const auto& [name, served] : *models) list.push_back(Json::parse(about(*served)));
    return {200, "application/json", Json{{"models", std::move(list)}}.dump()};
}

Response Router::about_model(std::string_view path, bool post, const Request& request) const {
    const bool second = path.starts_with("/v2");
    std::string_view rest = path.substr(std::string_view("/v1/models/").size());
    const auto cut = second ? rest.find('/') : rest.rfind(':');
    const std::string name = decoded(rest.substr(0, cut));
    const auto models = models_.now();
    const auto found = models->find(name);
    if (found == models->end()) return problem(404, "there is no model " + name);
    Served& served = *found->second;
    rest = cut == std::string_view::npos ? std::string_view{} : rest.substr(cut + 1);
    if (!second) {
        if (rest == "asked")
            return post ? wrong_method("GET") : Response{200, "application/json", asked_text(served), {}, name};
        if (!rest.empty()) return post ? verb(served, rest, request) : wrong_method("POST");
        return post ? wrong_method("GET") : Response{200, "application/json", about(served), {}, name};
    }
    if (rest.starts_with("versions/1")) rest = rest.substr(std::min<std::size_t>(rest.size(), 11));
    if (rest == "infer") return post ? infer_route(served, request, most_rows(served)) : wrong_method("POST");
    if (rest.empty()) return post ? wrong_method("GET") : model_metadata(served);
    if (rest == "ready")
        return post ? wrong_method("GET")
                    : Response{200, "application/json", Json{{"name", name}, {"ready", true}}.dump(), {}, name};
    return not_found(path);
}

// Posteriors of all rows are in memory at once.
std::size_t Router::most_rows(const Served& served) const {
    constexpr std::size_t most_posteriors = std::size_t{1} << 27;
    const std::size_t classes = std::max<std::size_t>(1, served.now()->model.classes().size());
    return std::min(options_.limits.rows, std::max<std::size_t>(1, most_posteriors / classes));
}

Response Router::verb(Served& served, std::string_view name, const Request& request) const {
    const auto type = media_type(request.content_type);
    if (!type.empty() && name != "merge" && type != json_type && type != csv_type && type != lines_type &&
        type != arrow_type)
        return problem(415,
                       "bodies are application/json, text/csv, application/x-ndjson or " + std::string(arrow_type));
    const std::size_t most = most_rows(served);
    Response made = name == "predict"   ? predict_route(served, request, most)
                    : name == "explain" ? explain_route(served, request, most)
                    : name == "sample"  ? sample_route(served, request, most)
                    : name == "learn"   ? change_route(served, Change::learn, request, most)
                    : name == "forget"  ? change_route(served, Change::forget, request, most)
                    : name == "decay"   ? change_route(served, Change::decay, request, most)
                    : name == "merge"   ? change_route(served, Change::merge, request, most)
                                        : problem(404, "a model has no verb " + decoded(name));
    made.model = served.name();
    return made;
}

}  // namespace suffice::server
