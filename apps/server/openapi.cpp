// The OpenAPI description: every path of every model with the rows that it takes, so that clients and tests can be
// made.
#include "server/openapi.hpp"

#include "server/predict.hpp"
#include "server/router.hpp"
#include <nlohmann/json.hpp>

#include "suffice/suffice.hpp"

namespace suffice::server {
namespace {

Json typed(const char* type) { return Json{{"type", type}}; }

Json record_of(const Json& properties) { return Json{{"type", "object"}, {"properties", properties}}; }

Json list_of(const Json& items) { return Json{{"type", "array"}, {"items", items}}; }

Json media(std::initializer_list<std::string_view> types, const Json& schema) {
    Json all = Json::object();
    for (const auto type : types) all[std::string(type)] = Json{{"schema", schema}};
    return all;
}

Json operation(const std::string& id, const std::string& summary, const Json& good) {
    const Json wrong{{"description", "what was wrong, in one sentence"},
                     {"content", media({"application/problem+json"}, {{"$ref", "#/components/schemas/Problem"}})}};
    return Json{{"operationId", id},
                {"summary", summary},
                {"responses", {{"200", {{"description", "the answer"}, {"content", good}}}, {"default", wrong}}}};
}

Json reading(const std::string& id, const std::string& summary, const Json& good) {
    return Json{{"get", operation(id, summary, good)}};
}

Json writing(const std::string& id, const std::string& summary, const Json& body, const Json& good) {
    Json made = operation(id, summary, good);
    made["requestBody"] = {{"required", true}, {"content", body}};
    return Json{{"post", made}};
}

// A value of a column; null is missing. Levels may be whole numbers.
Json value_schema(const Column& column) {
    if (column.kind == ColumnKind::text) return Json{{"type", Json::array({"string", "number", "boolean", "null"})}};
    if (column.kind == ColumnKind::category) return Json{{"type", Json::array({"string", "number", "null"})}};
    return Json{{"type", Json::array({"number", "boolean", "null"})}};
}

Json row_schema(const Schema& schema, bool with_class) {
    Json properties = Json::object(), required = Json::array();
    for (const auto& column : schema.columns) {
        properties[column.name] = value_schema(column);
        required.push_back(column.name);
    }
    if (with_class) {
        properties[schema.target] = {{"type", Json::array({"string", "number", "boolean"})}, {"minLength", 1}};
        required.push_back(schema.target);
    }
    Json made = record_of(properties);
    made["required"] = required;
    return made;
}

// JSON of this form, or a table.
Json any_form(const Json& record) {
    Json all = media({json_type}, record);
    for (const auto type : {csv_type, lines_type, arrow_type})
        all[std::string(type)] = Json{{"schema", typed("string")}};
    return all;
}

Json rows_body(const Json& row, Json more) {
    more["rows"] = list_of(row);
    Json record = record_of(more);
    record["required"] = Json::array({"rows"});
    return any_form(record);
}

Json predict_options() {
    const Json names = Json::array({"label", "probabilities", "log_evidence", "top", "decision", "novelty"});
    return Json{
        {"outputs", list_of({{"type", "string"}, {"enum", names}})},
        {"top", {{"type", "integer"}, {"minimum", 1}}},
        {"reject", {{"type", "number"}, {"minimum", 0}, {"maximum", 1}}},
        {"cost", {{"type", "string"}, {"description", "what a decision costs, such as fraud:ok=50, ok:fraud=1"}}},
        {"novelty", {{"type", "number"}, {"minimum", 0}, {"maximum", 0.999}}}};
}

// The same in the address, for bodies that are tables.
Json predict_parameters() {
    const Json options = predict_options();
    Json all = Json::array();
    for (const auto& [name, schema] : options.items())
        all.push_back({{"name", name}, {"in", "query"}, {"required", false}, {"schema", schema}});
    return all;
}

Json predict_answer() {
    return any_form(record_of({{"model", typed("string")}, {"predictions", list_of(typed("object"))}}));
}

Json explain_answer() { return any_form(record_of({{"explanations", list_of(typed("object"))}})); }

Json infer_body() {
    const Json name = Json{{"type", "string"}};
    Json tensor = record_of({{"name", name},
                             {"datatype", name},
                             {"shape", list_of({{"type", "integer"}, {"minimum", 0}})},
                             {"data", typed("array")}});
    tensor["required"] = Json::array({"name", "datatype", "shape"});
    Json record =
        record_of({{"id", name}, {"inputs", list_of(tensor)}, {"outputs", list_of(record_of({{"name", name}}))}});
    record["required"] = Json::array({"inputs"});
    return media({json_type}, record);
}

std::string encoded_name(std::string_view name) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string text;
    for (const char letter : name) {
        const auto byte = static_cast<unsigned char>(letter);
        if (std::isalnum(byte) != 0 || letter == '-' || letter == '_' || letter == '.' || letter == '~')
            text += letter;
        else
            text.append({'%', digits[byte / 16], digits[byte % 16]});
    }
    return text;
}

void add_model(Json& paths, const std::string& name, const Served& served) {
    const auto version = served.now();
    const Schema& schema = version->model.schema();
    const std::string first = "/v1/models/" + encoded_name(name), second = "/v2/models/" + encoded_name(name);
    const Json record = media({json_type}, typed("object"));
    const auto id = [&](const char* verb) { return std::string(verb) + "_" + encoded_name(name); };
    paths[first] = reading(id("about"), "Columns, levels and classes of the model", record);
    paths[first + ":asked"] = reading(id("asked"), "What the model is asked, beside what it learned", record);
    paths[second] = reading(id("metadata"), "Inputs and outputs, by the Open Inference Protocol", record);
    paths[second + "/ready"] = reading(id("ready"), "Whether the model answers", record);
    paths[second + "/infer"] = writing(id("infer"), "Tensors, by the Open Inference Protocol", infer_body(), record);
    const Json row = row_schema(schema, false);
    paths[first + ":predict"] = writing(id("predict"), "Labels, posteriors and more of rows",
                                        rows_body(row, predict_options()), predict_answer());
    paths[first + ":predict"]["post"]["parameters"] = predict_parameters();
    paths[first + ":explain"] =
        writing(id("explain"), "What each column adds to each class", rows_body(row, Json::object()), explain_answer());
    const Json count{{"type", "integer"}, {"minimum", 0}};
    paths[first + ":sample"] =
        writing(id("sample"), "Rows drawn from the model",
                media({json_type}, record_of({{"count", count}, {"seed", count}})), media({csv_type}, typed("string")));
    paths[first + ":sample"]["post"]["requestBody"]["required"] = false;
    if (!served.journal) return;
    Json labelled = rows_body(row_schema(schema, true), Json::object());
    labelled[std::string(json_type)]["schema"]["properties"]["rows"]["minItems"] = 1;
    paths[first + ":learn"] = writing(id("learn"), "Rows with their classes, to be learned", labelled, record);
    paths[first + ":forget"] = writing(id("forget"), "Rows that were learned, to be taken out", labelled, record);
    Json factor = record_of({{"factor", {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1}}}});
    factor["required"] = Json::array({"factor"});
    paths[first + ":decay"] = writing(id("decay"), "All rows so far count less", media({json_type}, factor), record);
    paths[first + ":merge"] =
        writing(id("merge"), "The rows of another model, by the bytes of its file",
                media({"application/octet-stream"}, Json{{"type", "string"}, {"format", "binary"}}), record);
}

}  // namespace

std::string openapi(const Models& models, bool with_tokens) {
    const Json record = media({json_type}, typed("object"));
    Json paths{{"/v2", reading("server", "Name, version and extensions of the server", record)},
               {"/v2/health/live", reading("live", "Whether the server lives", record)},
               {"/v2/health/ready", reading("ready", "Whether the server answers", record)},
               {"/v1/models", reading("models", "All models", record)},
               {"/metrics", reading("metrics", "Counters for Prometheus", media({"text/plain"}, typed("string")))}};
    for (const auto& [name, served] : models) add_model(paths, name, *served);
    Json problem_schema = record_of({{"type", typed("string")},
                                     {"title", typed("string")},
                                     {"status", typed("integer")},
                                     {"detail", typed("string")}});
    problem_schema["required"] = Json::array({"title", "status", "detail"});
    Json told{{"openapi", "3.1.0"},
              {"info", {{"title", "suffice serve"}, {"version", SUFFICE_VERSION}}},
              {"paths", std::move(paths)},
              {"components", {{"schemas", {{"Problem", problem_schema}}}}}};
    if (with_tokens) {
        told["components"]["securitySchemes"] = {{"token", {{"type", "http"}, {"scheme", "bearer"}}}};
        told["security"] = Json::array({Json{{"token", Json::array()}}});
        for (const char* open : {"/v2/health/live", "/v2/health/ready"})
            told["paths"][open]["get"]["security"] = Json::array();
    }
    return told.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace suffice::server
