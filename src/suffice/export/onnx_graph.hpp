// ONNX files as they are made: nodes, constants and subgraphs, written in protobuf's wire format (field numbers of
// onnx.proto 1.14; a varint key, then a varint or a length and bytes).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace suffice {

// One message of protobuf.
class ProtoMessage {
public:
    ProtoMessage& number(unsigned field, std::int64_t value) {
        varint(field << 3);
        varint(static_cast<std::uint64_t>(value));
        return *this;
    }
    ProtoMessage& text(unsigned field, std::string_view bytes) {
        varint(field << 3 | 2);
        varint(bytes.size());
        bytes_ += bytes;
        return *this;
    }
    ProtoMessage& message(unsigned field, const ProtoMessage& inner) { return text(field, inner.bytes_); }
    ProtoMessage& append(const ProtoMessage& fields) {
        bytes_ += fields.bytes_;
        return *this;
    }
    const std::string& bytes() const { return bytes_; }

private:
    void varint(std::uint64_t value) {
        for (; value >= 128; value >>= 7) bytes_ += static_cast<char>(value | 128);
        bytes_ += static_cast<char>(value);
    }
    std::string bytes_;
};

enum class OnnxType : std::int64_t { int64 = 7, string = 8, real = 11 };
using Dimensions = std::vector<std::int64_t>;

class OnnxGraph {
public:
    explicit OnnxGraph(std::string name) : name_(std::move(name)) {}

    struct Attribute {
        std::string_view name;
        ProtoMessage value;
    };
    static Attribute whole(std::string_view name, std::int64_t value);
    static Attribute wholes(std::string_view name, const std::vector<std::int64_t>& values);
    static Attribute words(std::string_view name, const std::vector<std::string>& values);
    static Attribute graph(std::string_view name, const OnnxGraph& value);

    // A node with one output, whose name is given back.
    std::string node(std::string_view operation, const std::vector<std::string>& inputs,
                     const std::vector<Attribute>& attributes = {}, std::string_view domain = {});
    // The words of texts, divided at blanks: one dimension more, filled up with empty words.
    std::string divided(const std::string& texts);
    void named(std::string_view operation, const std::vector<std::string>& inputs, const std::string& output);
    std::string constant(const std::vector<double>& values, const Dimensions& dimensions);
    std::string constant(const std::vector<std::vector<double>>& rows);  // rows x their length
    std::string constant(double value) { return constant(std::vector<double>{value}, {}); }
    std::string integers(const std::vector<std::int64_t>& values, bool scalar = false);
    std::string strings(const std::vector<std::string>& values);
    void input(const std::string& name, OnnxType type, const std::vector<std::string>& shape);
    void output(const std::string& name, OnnxType type, const std::vector<std::string>& shape);
    OnnxGraph inner(const std::string& name);  // of an If: its names do not meet those of this graph

    ProtoMessage message() const;

private:
    std::string fresh() { return name_ + "_" + std::to_string(++count_); }
    std::string name_;
    std::size_t count_ = 0;
    ProtoMessage nodes_, constants_, inputs_, outputs_;
};

// The bytes of a model around a graph whose operators are those of this version of the standard.
std::string onnx_file(const OnnxGraph& graph, std::int64_t opset,
                      const std::vector<std::pair<std::string, std::string>>& metadata);

}  // namespace suffice
