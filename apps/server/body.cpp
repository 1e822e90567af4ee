// Which kind of body was sent, and its rows.
#include "server/predict.hpp"
#include <nlohmann/json.hpp>

namespace suffice::server {

Json label_json(const Schema& schema, std::size_t code) {
    const std::string& name = schema.classes[code];
    if (schema.integer_classes) return std::strtoll(name.c_str(), nullptr, 10);
    return name;
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
