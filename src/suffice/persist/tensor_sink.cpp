// Writes the safetensors layout.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "suffice/base/visible.hpp"
#include "suffice/persist/packed_tree.hpp"
#include "suffice/persist/tensor_file.hpp"
#include "suffice/persist/tensor_layout.hpp"
#include "suffice/persist/tree_text.hpp"

namespace suffice {
namespace {

static_assert(std::endian::native == std::endian::little, "a big-endian machine needs a byte swap here, and only here");

template <class T>
std::string bytes_of(std::span<const T> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

constexpr std::size_t values_of_tensor = 7;  // in the header: its record, type, shape and places

// JSON is written as text from front to back: objects of the JSON library need memory to end, and end the process where
// there is none.
std::string json_word(std::string_view text) { return '"' + json_letters(text) + '"'; }

// JSON has no infinities.
std::string plain(double value) {
    if (!std::isfinite(value)) return json_word(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    char digits[64];
    return {digits, nlohmann::detail::to_chars(digits, digits + sizeof digits, value)};
}

std::string reference(std::string_view key, std::string_view tensor) {
    return "{" + json_word(key) + ":" + json_word(tensor) + "}";
}

}  // namespace

struct TensorSink::State {
    struct Tensor {
        const char* type = "F64";
        std::size_t count = 0;
        std::string bytes;
    };

    struct Open {
        bool is_list = false;
        std::size_t size = 0;
    };

    std::string tree = "{";  // whose end is written last
    std::vector<Open> open{Open{}};
    std::vector<std::string> path;
    std::map<std::string, Tensor> tensors;  // by name, sorted
    std::size_t pack_from = 0;
    std::unique_ptr<PackedSink> packing;  // a long list on its way
    std::string packed_name;
    std::size_t packed_depth = 0;
    bool packs = false;
    std::size_t value_count = 0;  // in the readable tree

    std::string step(std::string_view name) const {
        return name.empty() ? std::to_string(open.back().size) : std::string(name);
    }
    std::string full_name(std::string_view name) const {
        std::string full;
        for (const auto& each : path) full += each + ".";
        return full + step(name);
    }
    void put(std::string_view name, std::string_view value) {
        value_count += 2;  // a word that refers to a tensor is a record and a text
        if (open.back().size++ > 0) tree += ',';
        if (!open.back().is_list) tree += json_word(name) + ':';
        tree += value;
    }
    void enter(std::string_view name, bool is_list) {
        path.push_back(step(name));
        put(name, is_list ? "[" : "{");
        open.push_back({is_list});
    }
    void leave() {
        tree += open.back().is_list ? ']' : '}';
        open.pop_back();
        path.pop_back();
    }
    void start_packing(std::string_view name, std::size_t count) {
        packs = true;
        packed_name = full_name(name);
        put(name, reference(packed_key, packed_name));
        packing = std::make_unique<PackedSink>();
        packing->open_list({}, count);
        packed_depth = 1;
    }
    void close_packed() {
        packing->close();
        if (--packed_depth > 0) return;
        std::string bytes = packing->packed();
        const std::size_t size = bytes.size();
        tensors[packed_name] = {"U8", size, std::move(bytes)};
        packing.reset();
    }
};

TensorSink::TensorSink(std::size_t pack_from) : state_(std::make_unique<State>()) { state_->pack_from = pack_from; }
TensorSink::~TensorSink() = default;

void TensorSink::number(std::string_view name, double value) {
    if (state_->packing) return state_->packing->number(name, value);
    state_->put(name, plain(value));
}

void TensorSink::whole(std::string_view name, std::uint64_t value) {
    if (state_->packing) return state_->packing->whole(name, value);
    state_->put(name, std::to_string(value));
}

void TensorSink::text(std::string_view name, std::string_view value) {
    if (state_->packing) return state_->packing->text(name, value);
    state_->put(name, json_word(value));
}

void TensorSink::numbers(std::string_view name, std::span<const double> values) {
    if (state_->packing) return state_->packing->numbers(name, values);
    const std::string full = state_->full_name(name);
    state_->tensors[full] = {"F64", values.size(), bytes_of(values)};
    state_->put(name, reference(tensor_key, full));
}

void TensorSink::texts(std::string_view name, std::span<const std::string> values) {
    if (state_->packing) return state_->packing->texts(name, values);
    const std::string full = state_->full_name(name);
    std::vector<std::uint64_t> end;
    std::string bytes;
    for (const auto& value : values) {
        bytes += value;
        end.push_back(bytes.size());
    }
    state_->tensors[full + ".bytes"] = {"U8", bytes.size(), bytes};
    state_->tensors[full + ".ends"] = {"U64", end.size(), bytes_of(std::span<const std::uint64_t>(end))};
    state_->put(name, reference(words_key, full));
}

void TensorSink::open_list(std::string_view name, std::size_t count) {
    if (state_->packing) {
        ++state_->packed_depth;
        return state_->packing->open_list(name, count);
    }
    if (count >= state_->pack_from) return state_->start_packing(name, count);
    state_->enter(name, true);
}

void TensorSink::open_record(std::string_view name) {
    if (state_->packing) {
        ++state_->packed_depth;
        return state_->packing->open_record(name);
    }
    state_->enter(name, false);
}

void TensorSink::close() {
    if (state_->packing) return state_->close_packed();
    state_->leave();
}

std::string TensorSink::file() const {
    const bool too_large = std::max(state_->value_count, state_->tensors.size() * values_of_tensor) + 10 > largest_tree;
    if (too_large && state_->pack_from > 0) return {};
    std::string data, entries;
    // Wider elements first, so that every tensor is aligned for a reader that maps the file.
    for (const char* type : {"F64", "U64", "U8"})
        for (const auto& [name, tensor] : state_->tensors)
            if (std::string_view(tensor.type) == type) {
                entries += "," + json_word(name) + R"(:{"dtype":)" + json_word(tensor.type) + R"(,"shape":[)" +
                           std::to_string(tensor.count) + R"(],"data_offsets":[)" + std::to_string(data.size()) + "," +
                           std::to_string(data.size() + tensor.bytes.size()) + "]}";
                data += tensor.bytes;
            }
    const std::string tree = state_->tree + "}";
    const unsigned version = state_->packs ? packed_tensor_file_version : tensor_file_version;
    std::string text = R"({"__metadata__":{"format":)" + json_word("suffice " + std::to_string(version)) +
                       R"(,"checksum":)" + json_word(tensor_checksum(tree, data)) + R"(,"suffice":)" + json_word(tree) +
                       "}" + entries + "}";
    text.append((8 - text.size() % 8) % 8, ' ');
    if (text.size() > largest_header && state_->pack_from > 0) return {};
    const std::uint64_t length = text.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length).append(text).append(data);
}

}  // namespace suffice
