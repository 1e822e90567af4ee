// Reads the safetensors layout.
#define XXH_INLINE_ALL
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <xxhash.h>

#include "suffice/persist/packed_tree.hpp"
#include "suffice/persist/tensor_file.hpp"
#include "suffice/persist/tensor_layout.hpp"
#include "suffice/persist/tree_text.hpp"

namespace suffice {

std::string tensor_checksum(std::string_view tree, std::string_view data) {
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, tree.data(), tree.size());
    XXH3_64bits_update(&state, data.data(), data.size());
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(XXH3_64bits_digest(&state)));
    return digits;
}

namespace {

using TreeKind = TreeEntry::Kind;

Error damaged(const std::string& why) { return Error("this is not a whole model file: " + why); }

// The whole numbers of the list at this field; empty where it holds anything else.
std::vector<std::uint64_t> whole_numbers(const TreeEntry* list) {
    if (list == nullptr || list->kind != TreeKind::list) return {};
    std::vector<std::uint64_t> numbers;
    for (const TreeEntry* each = list + 1; numbers.size() < list->child_count; ++each) {
        if (each->kind != TreeKind::whole) return {};
        numbers.push_back(each->whole);
    }
    return numbers;
}

// The text of a field; null: it has none.
const std::string* text_of(const TreeEntry* field) {
    return field != nullptr && field->kind == TreeKind::text ? &field->text : nullptr;
}

// Bytes that people can read from the first one on: the length at the start of a model has zeros.
bool is_text(std::string_view bytes) {
    return std::ranges::all_of(bytes, [](char byte) {
        return static_cast<unsigned char>(byte) >= ' ' || byte == '\t' || byte == '\n' || byte == '\r';
    });
}

std::string format_name(unsigned version) { return "suffice " + std::to_string(version); }

}  // namespace

struct TensorSource::State {
    struct Tensor {
        std::string type;
        std::string_view bytes;
    };
    using Tensors = std::map<std::string, Tensor, std::less<>>;
    static Result<Tensors> read_tensors(const std::vector<TreeEntry>& header, std::string_view data);

    struct Frame {
        std::size_t entry;
        std::size_t found = 0;  // fields asked for that were there
    };
    std::vector<TreeEntry> tree;  // leaves, lists and records, in the order written
    std::vector<Frame> frames;
    std::size_t next = 1;  // the root holds the one value
    Tensors tensors;
    std::optional<PackedTree> packed;  // a packed list that is being read

    // The one word that stands in the place of a list: the tensor of the key. Null: this is none.
    const std::string* reference(std::size_t at, std::string_view key) const {
        if (tree[at].kind != TreeKind::record || tree[at].child_count != 1) return nullptr;
        return text_of(find_field(tree, at, key));
    }
    bool is_reference(std::size_t at) const {
        return reference(at, tensor_key) != nullptr || reference(at, words_key) != nullptr ||
               reference(at, packed_key) != nullptr;
    }
    bool is_record(std::size_t at) const { return tree[at].kind == TreeKind::record && !is_reference(at); }
    // The packed list that is being read, if any of it is left.
    PackedTree* packed_values() {
        if (packed && packed->used_up() && !packed->in_record()) packed.reset();
        return packed ? &*packed : nullptr;
    }
    // The place of the next leaf, which is then behind us. Records that nobody opened are passed into.
    std::optional<std::size_t> take() {
        while (next < tree.size() && is_record(next)) ++next;
        if (next >= tree.size()) return std::nullopt;
        const std::size_t at = next;
        next = is_reference(at) ? tree[at].end : at + 1;
        return at;
    }
    const Tensor* tensor(const std::string& name, std::string_view type) const {
        const auto found = tensors.find(name);
        return found == tensors.end() || found->second.type != type ? nullptr : &found->second;
    }
    const Tensor* referred(std::string_view key, std::string_view type) {
        const auto at = take();
        const std::string* name = at ? reference(*at, key) : nullptr;
        return name == nullptr ? nullptr : tensor(*name, type);
    }
    std::optional<double> number();
    std::optional<std::vector<std::string>> texts();
};

// The tensors that the header names, checked: known types, shapes that fit their bytes, no gaps, no overlaps.
Result<TensorSource::State::Tensors> TensorSource::State::read_tensors(const std::vector<TreeEntry>& header,
                                                                       std::string_view data) {
    Tensors tensors;
    std::map<std::uint64_t, std::uint64_t> covered;
    for (std::size_t at = 1; at < header.size(); at = header[at].end) {
        if (header[at].name == "__metadata__") continue;
        const std::string* type = text_of(find_field(header, at, "dtype"));
        const auto shape = whole_numbers(find_field(header, at, "shape"));
        const auto place = whole_numbers(find_field(header, at, "data_offsets"));
        const std::uint64_t width = type == nullptr ? 0 : *type == "U8" ? 1 : *type == "F64" || *type == "U64" ? 8 : 0;
        if (width == 0 || shape.size() != 1 || place.size() != 2 || place[0] > place[1] || place[1] > data.size() ||
            shape[0] > data.size() || shape[0] * width != place[1] - place[0])
            return damaged("the tensor " + header[at].name + " does not fit");
        if (place[0] != place[1] && !covered.emplace(place[0], place[1]).second) return damaged("tensors overlap");
        tensors[header[at].name] = {*type, data.substr(place[0], place[1] - place[0])};
    }
    std::uint64_t end = 0;
    for (const auto& [first, last] : covered) {
        if (first != end) return damaged("tensors overlap or leave gaps");
        end = last;
    }
    if (end != data.size()) return damaged("bytes are missing or left over");
    return tensors;
}

TensorSource::TensorSource(std::unique_ptr<State> state) : state_(std::move(state)) {}
TensorSource::~TensorSource() = default;

Result<std::unique_ptr<TensorSource>> TensorSource::open(std::string_view bytes) {
    std::uint64_t length = 0;
    if (bytes.size() < sizeof length) return damaged("it is too short");
    std::memcpy(&length, bytes.data(), sizeof length);
    if (is_text(bytes.substr(0, 256)))
        return Error("this is no model but text, such as data; the model comes first, then the data");
    if (length > largest_header || length > bytes.size() - sizeof length) return damaged("its header is cut off");
    const std::string_view data = bytes.substr(sizeof length + length);
    const auto header = read_tree(bytes.substr(sizeof length, length));
    const TreeEntry* about = header ? find_field(*header, 0, "__metadata__") : nullptr;
    const auto word = [&](std::string_view name) {
        return about == nullptr ? nullptr
                                : text_of(find_field(*header, static_cast<std::size_t>(about - header->data()), name));
    };
    const std::string *format = word("format"), *tree = word("suffice"), *sum = word("checksum");
    if (format == nullptr) return damaged("its header makes no sense");
    if (!format->starts_with("suffice ")) return damaged("it was written by another program");
    if (*format != format_name(tensor_file_version) && *format != format_name(packed_tensor_file_version))
        return Error("the model file has the format \"" + *format + "\", and this suffice reads \"" +
                     format_name(tensor_file_version) + "\" and \"" + format_name(packed_tensor_file_version) +
                     "\": fit the model again, or use a newer suffice where the file is the newer one");
    if (tree == nullptr || sum == nullptr) return damaged("its header makes no sense");
    if (*sum != tensor_checksum(*tree, data)) return damaged("its checksum is wrong");
    auto tensors = State::read_tensors(*header, data);
    if (!tensors) return tensors.error();
    auto state = std::make_unique<State>();
    auto values = read_tree(*tree);
    if (!values) return damaged("its header makes no sense");
    state->tree = std::move(*values);
    state->tensors = std::move(*tensors);
    return std::unique_ptr<TensorSource>(new TensorSource(std::move(state)));
}

bool TensorSource::used_up() const { return state_->next == state_->tree.size() && !state_->packed_values(); }

std::optional<double> TensorSource::State::number() {
    const auto at = take();
    if (!at) return std::nullopt;
    const TreeEntry& entry = tree[*at];
    if (entry.kind == TreeKind::number || entry.kind == TreeKind::whole) return entry.number;
    if (entry.kind != TreeKind::text) return std::nullopt;
    if (entry.text == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (entry.text == "inf") return std::numeric_limits<double>::infinity();
    if (entry.text == "-inf") return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

std::optional<std::vector<std::string>> TensorSource::State::texts() {
    const auto at = take();
    const std::string* name = at ? reference(*at, words_key) : nullptr;
    if (name == nullptr) return std::nullopt;
    const Tensor *bytes = tensor(*name + ".bytes", "U8"), *ends = tensor(*name + ".ends", "U64");
    if (bytes == nullptr || ends == nullptr) return std::nullopt;
    std::vector<std::string> values;
    std::uint64_t first = 0;
    for (std::size_t k = 0; k < ends->bytes.size(); k += sizeof(std::uint64_t)) {
        std::uint64_t last = 0;
        std::memcpy(&last, ends->bytes.data() + k, sizeof last);
        if (last < first || last > bytes->bytes.size()) return std::nullopt;
        values.emplace_back(bytes->bytes.substr(first, last - first));
        first = last;
    }
    return values;
}

namespace {

// The answer, or the blank value and a source that has failed.
template <class T>
T answer(FieldSource& source, std::optional<T> found) {
    if (found && !source.failed()) return std::move(*found);
    source.fail();
    return {};
}

}  // namespace

double TensorSource::number() {
    auto* packed = state_->packed_values();
    return answer(*this, packed ? packed->number() : state_->number());
}

std::uint64_t TensorSource::whole() {
    if (auto* packed = state_->packed_values()) return answer(*this, packed->whole());
    const auto at = state_->take();
    if (at && state_->tree[*at].kind == TreeKind::whole && !failed()) return state_->tree[*at].whole;
    return fail(), 0;
}

std::string TensorSource::text() {
    if (auto* packed = state_->packed_values()) return answer(*this, packed->text());
    const auto at = state_->take();
    if (at && state_->tree[*at].kind == TreeKind::text && !failed()) return state_->tree[*at].text;
    return fail(), std::string();
}

std::vector<double> TensorSource::numbers() {
    if (auto* packed = state_->packed_values()) return answer(*this, packed->numbers());
    const auto* tensor = state_->referred(tensor_key, "F64");
    if (tensor == nullptr || failed()) return fail(), std::vector<double>{};
    std::vector<double> values(tensor->bytes.size() / sizeof(double));
    if (!values.empty()) std::memcpy(values.data(), tensor->bytes.data(), tensor->bytes.size());
    return values;
}

std::vector<std::string> TensorSource::texts() {
    auto* packed = state_->packed_values();
    return answer(*this, packed ? packed->texts() : state_->texts());
}

std::size_t TensorSource::list() {
    if (auto* packed = state_->packed_values()) return answer(*this, packed->list());
    const auto at = state_->take();
    if (!at || failed()) return fail(), 0;
    if (state_->tree[*at].kind == TreeKind::list) return state_->tree[*at].child_count;
    const std::string* name = state_->reference(*at, packed_key);
    const auto* tensor = name == nullptr ? nullptr : state_->tensor(*name, "U8");
    if (tensor != nullptr) state_->packed = PackedTree::open(tensor->bytes);
    return state_->packed ? answer(*this, state_->packed->list()) : (fail(), 0);
}

void TensorSource::open_record() {
    if (failed()) return;
    if (auto* packed = state_->packed_values()) {
        if (!packed->open_record()) fail();
        return;
    }
    if (state_->next >= state_->tree.size() || !state_->is_record(state_->next)) return fail();
    state_->frames.push_back({state_->next++});
}

bool TensorSource::has_field(std::string_view name) {
    if (failed()) return false;
    if (auto* packed = state_->packed_values()) {
        if (packed->in_record()) return packed->has_field(name);
        return fail(), false;  // more is packed than was asked for
    }
    if (state_->frames.empty()) return false;
    auto& frame = state_->frames.back();
    const TreeEntry* found = find_field(state_->tree, frame.entry, name);
    if (found == nullptr) return false;
    ++frame.found;
    state_->next = static_cast<std::size_t>(found - state_->tree.data());
    return true;
}

void TensorSource::close_record() {
    constexpr const char* newer = "the model file is newer than this suffice: it holds fields that are not known here";
    if (failed()) return;
    if (auto* packed = state_->packed_values()) {
        if (!packed->in_record()) return fail();
        if (!packed->close_record()) fail(newer);
        return;
    }
    if (state_->frames.empty()) return;
    const auto frame = state_->frames.back();
    const auto& record = state_->tree[frame.entry];
    state_->frames.pop_back();
    if (frame.found < record.child_count) return fail(newer);
    state_->next = record.end;
}

}  // namespace suffice
