// Writes and reads the safetensors layout.
#include "suffice/persist/tensor_file.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <xxhash.h>

#include <nlohmann/json.hpp>

namespace suffice {
namespace {

static_assert(std::endian::native == std::endian::little, "a big-endian machine needs a byte swap here, and only here");

using Json = nlohmann::ordered_json;

constexpr const char* tensor_key = "$numbers";  // a list of numbers kept in the tensor of this name
constexpr const char* words_key = "$words";     // a list of words: bytes and offsets are tensors
constexpr std::size_t largest_header = 100'000'000;

struct Tensor {
    const char* type = "F64";
    std::size_t count = 0;
    std::string bytes;
};

std::string checksum(std::string_view text, std::string_view data) {
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, text.data(), text.size());
    XXH3_64bits_update(&state, data.data(), data.size());
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(XXH3_64bits_digest(&state)));
    return digits;
}

template <class T>
std::string bytes_of(std::span<const T> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// JSON has no infinities.
Json plain(double value) {
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

}  // namespace

struct TensorSink::State {
    Json root = Json::object();
    std::vector<Json*> open{&root};
    std::vector<std::string> path;
    std::map<std::string, Tensor> tensors;  // by name, sorted

    std::string step(std::string_view name) const {
        return name.empty() ? std::to_string(open.back()->size()) : std::string(name);
    }
    std::string full_name(std::string_view name) const {
        std::string full;
        for (const auto& each : path) full += each + ".";
        return full + step(name);
    }
    Json& put(std::string_view name, Json value) {
        Json& into = *open.back();
        if (into.is_array()) {
            into.push_back(std::move(value));
            return into.back();
        }
        return into[std::string(name)] = std::move(value);
    }
    void enter(std::string_view name, Json value) {
        path.push_back(step(name));
        open.push_back(&put(name, std::move(value)));
    }
};

TensorSink::TensorSink() : state_(std::make_unique<State>()) {}
TensorSink::~TensorSink() = default;

void TensorSink::number(std::string_view name, double value) { state_->put(name, plain(value)); }
void TensorSink::whole(std::string_view name, std::uint64_t value) { state_->put(name, value); }
void TensorSink::text(std::string_view name, std::string_view value) { state_->put(name, std::string(value)); }

void TensorSink::numbers(std::string_view name, std::span<const double> values) {
    const std::string full = state_->full_name(name);
    state_->tensors[full] = {"F64", values.size(), bytes_of(values)};
    state_->put(name, {{tensor_key, full}});
}

void TensorSink::texts(std::string_view name, std::span<const std::string> values) {
    const std::string full = state_->full_name(name);
    std::vector<std::uint64_t> end;
    std::string bytes;
    for (const auto& value : values) {
        bytes += value;
        end.push_back(bytes.size());
    }
    state_->tensors[full + ".bytes"] = {"U8", bytes.size(), bytes};
    state_->tensors[full + ".ends"] = {"U64", end.size(), bytes_of(std::span<const std::uint64_t>(end))};
    state_->put(name, {{words_key, full}});
}

void TensorSink::open_list(std::string_view name, std::size_t) { state_->enter(name, Json::array()); }
void TensorSink::open_record(std::string_view name) { state_->enter(name, Json::object()); }
void TensorSink::close() {
    state_->open.pop_back();
    state_->path.pop_back();
}

std::string TensorSink::file() const {
    Json header = Json::object();
    std::string data;
    Json entries = Json::object();
    // Wider elements first, so that every tensor is aligned for a reader that maps the file.
    for (const char* type : {"F64", "U64", "U8"})
        for (const auto& [name, tensor] : state_->tensors)
            if (std::string_view(tensor.type) == type) {
                entries[name] = {{"dtype", tensor.type},
                                 {"shape", {tensor.count}},
                                 {"data_offsets", {data.size(), data.size() + tensor.bytes.size()}}};
                data += tensor.bytes;
            }
    const std::string tree = state_->root.dump();
    header["__metadata__"] = {{"format", "suffice " + std::to_string(tensor_file_version)},
                              {"checksum", checksum(tree, data)},
                              {"suffice", tree}};
    header.update(entries);
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    const std::uint64_t length = text.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text + data;
}

struct TensorSource::State {
    Json root;
    struct Entry {
        const Json* node;
        std::size_t end;  // behind all that is inside it
        bool record;      // its children are fields, which have names
    };
    struct Frame {
        std::size_t entry;
        std::size_t found = 0;  // fields asked for that were there
    };
    std::vector<Entry> tape;  // leaves, lists and records, in the order written
    std::vector<Frame> frames;
    std::size_t next = 1;                                                     // the root holds the one value
    std::map<std::string, std::pair<std::string, std::string_view>> tensors;  // name -> type, bytes

    void record(const Json& node) {
        const bool reference =
            node.is_object() && node.size() == 1 && (node.contains(tensor_key) || node.contains(words_key));
        const std::size_t at = tape.size();
        tape.push_back({&node, 0, node.is_object() && !reference});
        if (!reference && (node.is_object() || node.is_array()))
            for (const auto& child : node) record(child);
        tape[at].end = tape.size();
    }
    // The next leaf; null, and failed, behind the last one.
    const Json& take(FieldSource& source) {
        while (next < tape.size() && tape[next].record) ++next;
        if (!source.failed() && next < tape.size()) return *tape[next++].node;
        source.fail();
        return none;
    }
    const Json none = nullptr;
    std::string_view tensor(const std::string& name, std::string_view type) const {
        const auto found = tensors.find(name);
        if (found == tensors.end() || found->second.first != type) return {};
        return found->second.second;
    }
};

namespace {

Error damaged(const std::string& why) { return Error("this is not a whole model file: " + why); }

// Empty where the list holds anything but whole numbers, which a conversion of huge ones would not tell.
std::vector<std::uint64_t> whole_numbers(const Json& list) {
    if (!std::ranges::all_of(list, [](const Json& each) { return each.is_number_unsigned(); })) return {};
    return list.get<std::vector<std::uint64_t>>();
}

// The tensors that the header names, checked: known types, shapes that fit their bytes, no gaps, no overlaps.
Result<std::map<std::string, std::pair<std::string, std::string_view>>> read_tensors(const Json& header,
                                                                                     std::string_view data) {
    std::map<std::string, std::pair<std::string, std::string_view>> tensors;
    std::map<std::uint64_t, std::uint64_t> covered;
    std::uint64_t total = 0;
    for (const auto& [name, entry] : header.items()) {
        if (name == "__metadata__") continue;
        const auto type = entry.at("dtype").get<std::string>();
        const auto shape = whole_numbers(entry.at("shape"));
        const auto place = whole_numbers(entry.at("data_offsets"));
        const std::uint64_t width = type == "U8" ? 1 : type == "F64" || type == "U64" ? 8 : 0;
        if (width == 0 || shape.size() != 1 || place.size() != 2 || place[0] > place[1] || place[1] > data.size() ||
            shape[0] > data.size() || shape[0] * width != place[1] - place[0])
            return damaged("the tensor " + name + " does not fit");
        if (place[0] != place[1] && !covered.emplace(place[0], place[1]).second) return damaged("tensors overlap");
        total += place[1] - place[0];
        tensors[name] = {type, data.substr(place[0], place[1] - place[0])};
    }
    std::uint64_t end = 0;
    for (const auto& [first, last] : covered) {
        if (first != end) return damaged("tensors overlap or leave gaps");
        end = last;
    }
    if (total != data.size()) return damaged("bytes are missing or left over");
    return tensors;
}

}  // namespace

TensorSource::TensorSource(std::unique_ptr<State> state) : state_(std::move(state)) {}
TensorSource::~TensorSource() = default;

Result<std::unique_ptr<TensorSource>> TensorSource::open(std::string_view bytes) {
    std::uint64_t length = 0;
    if (bytes.size() < sizeof length) return damaged("it is too short");
    std::memcpy(&length, bytes.data(), sizeof length);
    if (length > largest_header || length > bytes.size() - sizeof length) return damaged("its header is cut off");
    const std::string_view text = bytes.substr(sizeof length, length), data = bytes.substr(sizeof length + length);
    try {
        const Json header = Json::parse(text);
        const Json& about = header.at("__metadata__");
        const auto format = about.at("format").get<std::string>();
        if (!format.starts_with("suffice ")) return damaged("it was written by another program");
        if (format != "suffice " + std::to_string(tensor_file_version))
            return Error("the model file has the newer format \"" + format + "\"; use a newer suffice");
        const auto tree = about.at("suffice").get<std::string>();
        if (about.at("checksum").get<std::string>() != checksum(tree, data)) return damaged("its checksum is wrong");
        auto tensors = read_tensors(header, data);
        if (!tensors) return tensors.error();
        auto state = std::make_unique<State>();
        state->root = Json::parse(tree);
        state->tensors = std::move(*tensors);
        state->record(state->root);
        return std::unique_ptr<TensorSource>(new TensorSource(std::move(state)));
    } catch (const nlohmann::json::exception&) {
        return damaged("its header makes no sense");
    }
}

bool TensorSource::used_up() const { return state_->next == state_->tape.size(); }

double TensorSource::number() {
    const Json& node = state_->take(*this);
    if (node.is_number()) return node.get<double>();
    if (node == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (node == "inf") return std::numeric_limits<double>::infinity();
    if (node == "-inf") return -std::numeric_limits<double>::infinity();
    fail();
    return 0;
}

std::uint64_t TensorSource::whole() {
    const Json& node = state_->take(*this);
    if (node.is_number_unsigned()) return node.get<std::uint64_t>();
    fail();
    return 0;
}

std::string TensorSource::text() {
    const Json& node = state_->take(*this);
    if (node.is_string()) return node.get<std::string>();
    fail();
    return {};
}

std::vector<double> TensorSource::numbers() {
    const Json& node = state_->take(*this);
    if (!node.is_object() || !node.contains(tensor_key) || !node[tensor_key].is_string())
        return fail(), std::vector<double>{};
    const auto name = node[tensor_key].get<std::string>();
    if (!state_->tensors.contains(name)) return fail(), std::vector<double>{};
    const std::string_view bytes = state_->tensor(name, "F64");
    std::vector<double> values(bytes.size() / sizeof(double));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

std::vector<std::string> TensorSource::texts() {
    const Json& node = state_->take(*this);
    if (!node.is_object() || !node.contains(words_key) || !node[words_key].is_string())
        return fail(), std::vector<std::string>{};
    const auto name = node[words_key].get<std::string>();
    if (!state_->tensors.contains(name + ".bytes") || !state_->tensors.contains(name + ".ends"))
        return fail(), std::vector<std::string>{};
    const std::string_view bytes = state_->tensor(name + ".bytes", "U8"), ends = state_->tensor(name + ".ends", "U64");
    std::vector<std::string> values;
    std::uint64_t first = 0;
    for (std::size_t at = 0; at < ends.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t last = 0;
        std::memcpy(&last, ends.data() + at, sizeof last);
        if (last < first || last > bytes.size()) return fail(), std::vector<std::string>{};
        values.emplace_back(bytes.substr(first, last - first));
        first = last;
    }
    return values;
}

std::size_t TensorSource::list() {
    const Json& node = state_->take(*this);
    if (node.is_array()) return node.size();
    fail();
    return 0;
}

void TensorSource::open_record() {
    if (failed()) return;
    if (state_->next >= state_->tape.size() || !state_->tape[state_->next].record) return fail();
    state_->frames.push_back({state_->next++});
}

bool TensorSource::has_field(std::string_view name) {
    if (failed() || state_->frames.empty()) return false;
    auto& frame = state_->frames.back();
    std::size_t child = frame.entry + 1;
    for (const auto& [each, value] : state_->tape[frame.entry].node->items()) {
        if (each == name) {
            ++frame.found;
            state_->next = child;
            return true;
        }
        child = state_->tape[child].end;
    }
    return false;
}

void TensorSource::close_record() {
    if (failed() || state_->frames.empty()) return;
    const auto frame = state_->frames.back();
    const auto& record = state_->tape[frame.entry];
    state_->frames.pop_back();
    if (frame.found < record.node->size())
        return fail("the model file is newer than this suffice: it holds fields that are not known here");
    state_->next = record.end;
}

}  // namespace suffice
