// Writes the messages of onnx.proto.
#include "suffice/export/onnx_graph.hpp"

#include <bit>

#include "suffice/suffice.hpp"

namespace suffice {
namespace {

ProtoMessage attribute(std::string_view name, std::int64_t type) {
    ProtoMessage made;
    made.text(1, name).number(20, type);
    return made;
}

ProtoMessage tensor(const std::string& name, OnnxType type, const Dimensions& dimensions) {
    ProtoMessage made;
    for (const auto each : dimensions) made.number(1, each);
    made.number(2, static_cast<std::int64_t>(type)).text(8, name);
    return made;
}

// Little-endian whatever the machine.
template <class T>
std::string raw_bytes(const std::vector<T>& values) {
    std::string raw(values.size() * sizeof(T), '\0');
    for (std::size_t k = 0; k < values.size(); ++k) {
        const auto bits = std::bit_cast<std::uint64_t>(values[k]);
        for (std::size_t byte = 0; byte < sizeof(T); ++byte)
            raw[k * sizeof(T) + byte] = static_cast<char>(bits >> (8 * byte) & 255);
    }
    return raw;
}

ProtoMessage value_info(const std::string& name, OnnxType type, const std::vector<std::string>& shape) {
    ProtoMessage dimensions, tensor_type, whole_type, made;
    for (const std::string& each : shape) {
        ProtoMessage dimension;
        if (each.find_first_not_of("0123456789") == std::string::npos)
            dimension.number(1, std::stoll(each));
        else
            dimension.text(2, each);
        dimensions.message(1, dimension);
    }
    tensor_type.number(1, static_cast<std::int64_t>(type)).message(2, dimensions);
    whole_type.message(1, tensor_type);
    made.text(1, name).message(2, whole_type);
    return made;
}

ProtoMessage operators(std::string_view domain, std::int64_t version) {
    ProtoMessage made;
    made.text(1, domain).number(2, version);
    return made;
}

}  // namespace

OnnxGraph::Attribute OnnxGraph::whole(std::string_view name, std::int64_t value) {
    return {name, attribute(name, 2).number(3, value)};
}
OnnxGraph::Attribute OnnxGraph::wholes(std::string_view name, const std::vector<std::int64_t>& values) {
    ProtoMessage made = attribute(name, 7);
    for (const auto value : values) made.number(8, value);
    return {name, made};
}
OnnxGraph::Attribute OnnxGraph::words(std::string_view name, const std::vector<std::string>& values) {
    ProtoMessage made = attribute(name, 8);
    for (const auto& value : values) made.text(9, value);
    return {name, made};
}
OnnxGraph::Attribute OnnxGraph::graph(std::string_view name, const OnnxGraph& value) {
    return {name, attribute(name, 5).message(6, value.message())};
}

std::string OnnxGraph::node(std::string_view operation, const std::vector<std::string>& inputs,
                            const std::vector<Attribute>& attributes, std::string_view domain) {
    ProtoMessage made;
    std::string output = fresh();
    for (const auto& each : inputs) made.text(1, each);
    made.text(2, output).text(3, output + "_node").text(4, operation);
    for (const auto& each : attributes) made.message(5, each.value);
    if (!domain.empty()) made.text(7, domain);
    nodes_.message(1, made);
    return output;
}

std::string OnnxGraph::divided(const std::string& texts) {
    std::string output = fresh();
    ProtoMessage made;
    made.text(1, texts).text(2, output).text(2, output + "_counts").text(3, output + "_node").text(4, "StringSplit");
    made.message(5, attribute("delimiter", 3).text(4, " "));
    nodes_.message(1, made);
    return output;
}

void OnnxGraph::named(std::string_view operation, const std::vector<std::string>& inputs, const std::string& output) {
    ProtoMessage made;
    for (const auto& each : inputs) made.text(1, each);
    made.text(2, output).text(3, output + "_node").text(4, operation);
    nodes_.message(1, made);
}

std::string OnnxGraph::constant(const std::vector<double>& values, const Dimensions& dimensions) {
    std::string name = fresh();
    constants_.message(5, tensor(name, OnnxType::real, dimensions).text(9, raw_bytes(values)));
    return name;
}

std::string OnnxGraph::constant(const std::vector<std::vector<double>>& rows) {
    std::vector<double> all;
    for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
    return constant(
        all, {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows.empty() ? 0 : rows[0].size())});
}

std::string OnnxGraph::integers(const std::vector<std::int64_t>& values, bool scalar) {
    std::string name = fresh();
    const Dimensions dimensions = scalar ? Dimensions{} : Dimensions{static_cast<std::int64_t>(values.size())};
    constants_.message(5, tensor(name, OnnxType::int64, dimensions).text(9, raw_bytes(values)));
    return name;
}

std::string OnnxGraph::strings(const std::vector<std::string>& values) {
    std::string name = fresh();
    ProtoMessage made = tensor(name, OnnxType::string, {static_cast<std::int64_t>(values.size())});
    for (const auto& each : values) made.text(6, each);
    constants_.message(5, made);
    return name;
}

void OnnxGraph::input(const std::string& name, OnnxType type, const std::vector<std::string>& shape) {
    inputs_.message(11, value_info(name, type, shape));
}
void OnnxGraph::output(const std::string& name, OnnxType type, const std::vector<std::string>& shape) {
    outputs_.message(12, value_info(name, type, shape));
}
OnnxGraph OnnxGraph::inner(const std::string& name) { return OnnxGraph(fresh() + "_" + name); }

ProtoMessage OnnxGraph::message() const {
    ProtoMessage made = nodes_;
    return made.text(2, name_).append(constants_).append(inputs_).append(outputs_);
}

std::string onnx_file(const OnnxGraph& graph, std::int64_t opset,
                      const std::vector<std::pair<std::string, std::string>>& metadata) {
    ProtoMessage made;
    made.number(1, opset < 19 ? 8 : 9).text(2, "suffice").text(3, SUFFICE_VERSION).message(7, graph.message());
    made.message(8, operators("", opset)).message(8, operators("ai.onnx.ml", 3));
    for (const auto& [key, value] : metadata) {
        ProtoMessage entry;
        entry.text(1, key).text(2, value);
        made.message(14, entry);
    }
    return made.bytes();
}

}  // namespace suffice
