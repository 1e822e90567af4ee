// Tensors to columns to scores, and back to tensors.
#include "server/infer.hpp"

#include <algorithm>
#include <cstring>

#include "server/predict.hpp"
#include <nlohmann/json.hpp>

#include "suffice/base/limits.hpp"
#include "suffice/decide/decision.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/suffice.hpp"

namespace suffice::server {
namespace {

bool takes_words(const Column& column) {
    return column.kind == ColumnKind::category || column.kind == ColumnKind::text;
}

struct Tensor {
    std::string name, type = {};
    std::vector<std::size_t> shape = {};
    std::vector<double> numbers = {};
    std::vector<std::string> words = {};  // of BYTES
    std::size_t rows() const { return shape.empty() ? 0 : shape[0]; }
    std::size_t width() const {
        std::size_t all = 1;
        for (std::size_t k = 1; k < shape.size(); ++k) all *= shape[k];
        return all;
    }
};

template <class T>
void read_raw(std::string_view bytes, std::vector<double>& numbers) {
    for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
        T value;
        std::memcpy(&value, bytes.data() + at, sizeof(T));
        numbers.push_back(static_cast<double>(value));
    }
}

Result<void> read_raw_words(std::string_view bytes, std::vector<std::string>& words) {
    while (!bytes.empty()) {
        std::uint32_t length = 0;
        if (bytes.size() < 4) return Error("the raw bytes of a tensor end within a word");
        std::memcpy(&length, bytes.data(), 4);
        if (length > bytes.size() - 4) return Error("the raw bytes of a tensor end within a word");
        words.emplace_back(bytes.substr(4, length));
        bytes.remove_prefix(4 + std::size_t{length});
    }
    return {};
}

// Little-endian, as the protocol has it and as this processor is.
Result<void> read_raw_tensor(std::string_view bytes, Tensor& tensor) {
    using Read = void (*)(std::string_view, std::vector<double>&);
    static const std::map<std::string_view, Read> readers{
        {"FP64", read_raw<double>},          {"FP32", read_raw<float>},           {"INT64", read_raw<std::int64_t>},
        {"INT32", read_raw<std::int32_t>},   {"INT16", read_raw<std::int16_t>},   {"INT8", read_raw<std::int8_t>},
        {"UINT64", read_raw<std::uint64_t>}, {"UINT32", read_raw<std::uint32_t>}, {"UINT16", read_raw<std::uint16_t>},
        {"UINT8", read_raw<std::uint8_t>},   {"BOOL", read_raw<std::uint8_t>}};
    if (tensor.type == "BYTES") return read_raw_words(bytes, tensor.words);
    const auto found = readers.find(tensor.type);
    if (found == readers.end()) return Error("the datatype " + tensor.type + " cannot be read").in_column(tensor.name);
    found->second(bytes, tensor.numbers);
    return {};
}

Result<void> read_values(const Json& data, Tensor& tensor) {
    for (const auto& value : data) {
        if (value.is_array()) {
            if (auto read = read_values(value, tensor); !read) return read;
            continue;
        }
        const std::size_t row =
            (tensor.numbers.size() + tensor.words.size()) / std::max<std::size_t>(tensor.width(), 1);
        if (tensor.type == "BYTES") {
            if (!value.is_string() && !value.is_null())
                return Error("BYTES are words").at_row(row + 1).in_column(tensor.name);
            tensor.words.push_back(value.is_null() ? "" : value.get<std::string>());
        } else if (value.is_number()) {
            tensor.numbers.push_back(value.get<double>());
        } else if (value.is_boolean()) {
            tensor.numbers.push_back(value.get<bool>() ? 1 : 0);
        } else if (value.is_null()) {
            tensor.numbers.push_back(not_a_number);
        } else {
            return Error(tensor.type + " are numbers").at_row(row + 1).in_column(tensor.name);
        }
    }
    return {};
}

Result<Tensor> read_tensor(const Json& input, std::string_view& raw) {
    if (!input.is_object() || !input.contains("name") || !input["name"].is_string())
        return Error("an input has a name, a datatype, a shape and data");
    Tensor tensor{input["name"].get<std::string>()};
    if (!input.contains("datatype") || !input["datatype"].is_string())
        return Error("the input has no datatype").in_column(tensor.name);
    tensor.type = input["datatype"].get<std::string>();
    if (!input.contains("shape") || !input["shape"].is_array() || input["shape"].empty())
        return Error("the input has no shape").in_column(tensor.name);
    double values = 1;
    for (const auto& size : input["shape"]) {
        if (!size.is_number_unsigned()) return Error("a shape is a list of whole numbers").in_column(tensor.name);
        tensor.shape.push_back(size.get<std::size_t>());
        values *= size.get<double>();
    }
    const Json parameters = input.value("parameters", Json::object());
    if (parameters.is_object() && parameters.contains("binary_data_size")) {
        const Json& size = parameters["binary_data_size"];
        if (!size.is_number_unsigned() || size.get<std::size_t>() > raw.size())
            return Error("binary_data_size is more than the bytes behind the JSON").in_column(tensor.name);
        const auto own = raw.substr(0, size.get<std::size_t>());
        raw.remove_prefix(own.size());
        if (auto read = read_raw_tensor(own, tensor); !read) return Error(read.error()).in_column(tensor.name);
    } else {
        if (!input.contains("data") || !input["data"].is_array())
            return Error("the input has no data").in_column(tensor.name);
        if (auto read = read_values(input["data"], tensor); !read) return read.error();
    }
    const std::size_t found = tensor.type == "BYTES" ? tensor.words.size() : tensor.numbers.size();
    if (static_cast<double>(found) != values)
        return Error("the shape has room for " + short_number(values, 12) + " values, and " + std::to_string(found) +
                     " were given")
            .in_column(tensor.name);
    return tensor;
}

// One matrix of all columns in the model's order becomes a tensor for each.
std::vector<Tensor> split(const Tensor& whole, const Schema& schema) {
    std::vector<Tensor> parts;
    const std::size_t width = schema.columns.size();
    for (std::size_t k = 0; k < width; ++k) {
        Tensor part{schema.columns[k].name, whole.type, {whole.rows(), 1}, {}, {}};
        for (std::size_t row = 0; row < whole.rows(); ++row) {
            if (whole.type == "BYTES")
                part.words.push_back(whole.words[row * width + k]);
            else
                part.numbers.push_back(whole.numbers[row * width + k]);
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

Result<std::vector<Tensor>> read_tensors(const Json& asked, std::string_view raw, const Schema& schema) {
    if (!asked.is_object() || !asked.contains("inputs") || !asked["inputs"].is_array())
        return Error("the body is a record with the member inputs, a list of tensors");
    std::vector<Tensor> tensors;
    for (const auto& input : asked["inputs"]) {
        auto tensor = read_tensor(input, raw);
        if (!tensor) return tensor.error();
        tensors.push_back(std::move(*tensor));
    }
    if (tensors.size() == 1 && tensors[0].width() == schema.columns.size() && !schema.column_named(tensors[0].name))
        tensors = split(tensors[0], schema);
    for (const auto& tensor : tensors) {
        if (tensor.width() != 1) return Error("a column has the shape [rows] or [rows, 1]").in_column(tensor.name);
        if (tensor.rows() != tensors[0].rows())
            return Error(std::to_string(tensor.rows()) + " values where the first column has " +
                         std::to_string(tensors[0].rows()))
                .in_column(tensor.name);
    }
    return tensors;
}

std::string number_word(double value) {
    std::string word;
    append_number(word, value);
    return word;
}

Result<Scores> score_tensors(std::vector<Tensor> tensors, const Served& served,
                             const std::shared_ptr<const Version>& version, bool evidence) {
    const Schema& schema = version->model.schema();
    Table table;
    Json rows = Json::array();  // of models whose rows must be read as files are
    for (auto& tensor : tensors) {
        const auto place = schema.column_named(tensor.name);
        if (place && takes_words(schema.columns[*place]) && tensor.type != "BYTES")
            for (const double value : tensor.numbers) tensor.words.push_back(number_word(value));
        const bool words = !tensor.words.empty();
        if (version->dense && place) {
            if (words)
                table.words(tensor.name, std::move(tensor.words));
            else
                table.numbers(tensor.name, std::move(tensor.numbers));
        } else if (!version->dense) {
            for (std::size_t row = 0; row < tensor.rows(); ++row)
                rows[row][tensor.name] = words ? Json(tensor.words[row]) : Json(tensor.numbers[row]);
        }
    }
    if (!version->dense) {
        const auto csv = csv_of(rows, schema, false);
        return csv ? score_bytes(served, version, *csv, evidence, {false}) : csv.error();
    }
    const auto encoded = table.encode(schema.columns);
    if (!encoded) return encoded.error();
    auto scores = score_block(version->model.predictor(), encoded->rows(), evidence);
    if (scores) note_asked(served, version, encoded->rows());
    return scores;
}

// An output tensor: in the JSON, or behind it as raw bytes.
void add_output(Json& outputs, std::string& raw, Json tensor, const Json& values, bool binary) {
    if (!binary) {
        tensor["data"] = values;
    } else {
        const std::size_t before = raw.size();
        for (const auto& value : values) {
            if (value.is_string()) {
                const auto& word = value.get_ref<const std::string&>();
                const auto length = static_cast<std::uint32_t>(word.size());
                raw.append(reinterpret_cast<const char*>(&length), 4).append(word);
            } else if (value.is_number_float()) {
                const auto number = value.get<double>();
                raw.append(reinterpret_cast<const char*>(&number), 8);
            } else {
                const auto whole = value.get<std::int64_t>();
                raw.append(reinterpret_cast<const char*>(&whole), 8);
            }
        }
        tensor["parameters"] = {{"binary_data_size", raw.size() - before}};
    }
    outputs.push_back(std::move(tensor));
}

struct Output {
    std::string name;
    bool binary;
};

Result<std::vector<Output>> read_asked_outputs(const Json& asked) {
    const auto flag = [](const Json& holder, const char* name, bool otherwise) {
        const auto parameters = holder.find("parameters");
        if (parameters == holder.end() || !parameters->is_object()) return otherwise;
        const auto found = parameters->find(name);
        return found == parameters->end() || !found->is_boolean() ? otherwise : found->get<bool>();
    };
    const bool binary = flag(asked, "binary_data_output", false);
    const auto outputs = asked.find("outputs");
    if (outputs == asked.end() || !outputs->is_array() || outputs->empty())
        return std::vector<Output>{{"label", binary}, {"probabilities", binary}};
    std::vector<Output> all;
    for (const auto& each : *outputs) {
        const std::string name = each.is_object() && each.contains("name") && each["name"].is_string()
                                     ? each["name"].get<std::string>()
                                     : each.dump();
        if (name != "label" && name != "probabilities" && name != "log_evidence")
            return Error("outputs are label, probabilities and log_evidence, not " + name);
        all.push_back({name, flag(each, "binary_data", binary)});
    }
    return all;
}

Result<Response> infer(const Served& served, const Request& request, std::size_t most_rows) {
    const auto version = served.now();
    const Schema& schema = version->model.schema();
    const std::size_t json_bytes = std::min(request.json_bytes.value_or(request.body.size()), request.body.size());
    Stopwatch watch;
    const auto asked = parse_json(request.body.substr(0, json_bytes));
    if (!asked) return asked.error();
    auto tensors = read_tensors(*asked, request.body.substr(json_bytes), schema);
    if (!tensors) return tensors.error();
    const auto wanted = read_asked_outputs(*asked);
    if (!wanted) return wanted.error();
    const std::size_t rows = tensors->empty() ? 0 : (*tensors)[0].rows(), classes = schema.classes.size();
    if (rows > most_rows) return too_many_rows(most_rows);
    Response made;
    made.phases.push_back(watch.lap(Phase::parse));
    const bool evidence = std::ranges::any_of(*wanted, [](const auto& each) { return each.name == "log_evidence"; });
    const auto scores = score_tensors(std::move(*tensors), served, version, evidence);
    if (!scores) return scores.error();
    auto thresholds = thresholds_by_class(version->model.decision().thresholds, schema.classes);
    if (!thresholds) return thresholds.error();
    DecisionRule rule;
    rule.thresholds = std::move(*thresholds);
    const auto codes = decide(scores->posteriors, classes, rule);
    if (!codes) return codes.error();
    made.phases.push_back(watch.lap(Phase::score));
    Json labels = Json::array(), outputs = Json::array();
    for (const auto code : *codes)
        labels.push_back(code < 0 ? Json("") : label_json(schema, static_cast<std::size_t>(code)));
    std::string raw;
    for (const auto& each : *wanted) {
        Json tensor{{"name", each.name}, {"datatype", "FP64"}, {"shape", Json::array({rows})}};
        if (each.name == "label") {
            tensor["datatype"] = schema.integer_classes ? "INT64" : "BYTES";
            add_output(outputs, raw, std::move(tensor), labels, each.binary);
        } else if (each.name == "probabilities") {
            tensor["shape"] = {rows, classes};
            add_output(outputs, raw, std::move(tensor), scores->posteriors, each.binary);
        } else {
            add_output(outputs, raw, std::move(tensor), scores->log_evidence, each.binary);
        }
    }
    Json told{{"model_name", served.name()}, {"model_version", "1"}, {"outputs", std::move(outputs)}};
    if (asked->contains("id")) told["id"] = (*asked)["id"];
    made.body = told.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (!raw.empty()) {
        made.headers.emplace_back("Inference-Header-Content-Length", std::to_string(made.body.size()));
        made.content_type = "application/octet-stream";
        made.body += raw;
    }
    made.model = served.name();
    made.rows = rows;
    made.phases.push_back(watch.lap(Phase::render));
    return made;
}

}  // namespace

Response server_metadata() {
    const Json told{
        {"name", "suffice"}, {"version", SUFFICE_VERSION}, {"extensions", Json::array({"binary_tensor_data"})}};
    return {200, "application/json", told.dump()};
}

Response model_metadata(const Served& served) {
    const auto version = served.now();
    const Schema& schema = version->model.schema();
    Json inputs = Json::array();
    for (const auto& column : schema.columns)
        inputs.push_back(
            {{"name", column.name}, {"datatype", takes_words(column) ? "BYTES" : "FP64"}, {"shape", {-1, 1}}});
    const Json outputs = {
        {{"name", "label"}, {"datatype", schema.integer_classes ? "INT64" : "BYTES"}, {"shape", Json::array({-1})}},
        {{"name", "probabilities"}, {"datatype", "FP64"}, {"shape", {-1, static_cast<int>(schema.classes.size())}}}};
    const Json told{{"name", served.name()},
                    {"versions", Json::array({"1"})},
                    {"platform", "suffice_" + std::string(version->model.predictor().name())},
                    {"inputs", std::move(inputs)},
                    {"outputs", outputs}};
    return {200, "application/json", told.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

Response infer_route(const Served& served, const Request& request, std::size_t most_rows) {
    auto made = infer(served, request, most_rows);
    return made ? std::move(*made) : problem(made.error());
}

}  // namespace suffice::server
