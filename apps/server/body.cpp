// Which kind of body was sent, its rows, and which kind is sent back.
#include <algorithm>
#include <array>

#include "server/predict.hpp"
#include <nlohmann/json.hpp>

namespace suffice::server {

Json label_json(const Schema& schema, std::size_t code) {
    const std::string& name = schema.classes[code];
    if (schema.integer_classes) return std::strtoll(name.c_str(), nullptr, 10);
    return name;
}

std::string_view answer_type(const Request& request) {
    constexpr std::array all{json_type, csv_type, lines_type, arrow_type};
    std::string_view first;  // of those asked for
    for (const auto type : all)
        if (const auto at = request.accept.find(type); at != std::string_view::npos)
            if (first.empty() || at < request.accept.find(first)) first = type;
    if (!first.empty()) return first;
    if (!request.accept.empty() && request.accept.find("*/*") == std::string_view::npos &&
        request.accept.find("application/*") == std::string_view::npos)
        return {};
    const auto found = std::ranges::find(all, media_type(request.content_type));
    return found == all.end() ? json_type : *found;
}

Response no_such_answer() {
    return problem(406, "answers are application/json, text/csv, application/x-ndjson or " + std::string(arrow_type));
}

Result<Body> read_body(const Request& request) {
    const auto type = media_type(request.content_type);
    if (type == csv_type) return Body{nullptr, true};
    if (type == arrow_type) return Body{nullptr, false};
    if (type == lines_type) {
        auto rows = parse_lines(request.body);
        if (!rows) return rows.error();
        Json asked = Json::object();
        asked["rows"] = std::move(*rows);
        return Body{std::make_shared<Json>(std::move(asked))};
    }
    auto parsed = parse_json(request.body);
    if (!parsed) return parsed.error();
    Json asked = std::move(*parsed);
    if (asked.is_array()) asked = Json{{"rows", std::move(asked)}};
    if (!asked.is_object() || !asked.contains("rows"))
        return Error("the body is a record with the member rows, a list of records such as {\"column\": value}");
    return Body{std::make_shared<Json>(std::move(asked))};
}

}  // namespace suffice::server
