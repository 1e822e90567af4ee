// Writes and reads packed values.
#include "suffice/persist/packed_tree.hpp"

#include <cstring>

namespace suffice {
namespace {

constexpr char number_tag = 'd', whole_tag = 'u', text_tag = 't', numbers_tag = 'D', texts_tag = 'T', list_tag = 'l',
               record_tag = 'r';

void put_whole(std::string& bytes, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
    bytes += static_cast<char>(value);
}

void put_text(std::string& bytes, std::string_view value) {
    put_whole(bytes, value.size());
    bytes += value;
}

}  // namespace

void PackedSink::start(char tag, std::string_view name) {
    bytes_ += tag;
    if (name.empty()) return put_whole(bytes_, 0);
    const auto [known, fresh] = numbers_of_names_.emplace(name, numbers_of_names_.size() + 1);
    put_whole(bytes_, known->second);
    if (fresh) put_text(names_, name);
}

void PackedSink::open() {
    open_.push_back(bytes_.size());
    bytes_.append(sizeof(std::uint64_t), '\0');
}

void PackedSink::close() {
    const std::size_t place = open_.back();
    const std::uint64_t length = bytes_.size() - place - sizeof length;
    std::memcpy(bytes_.data() + place, &length, sizeof length);
    open_.pop_back();
}

void PackedSink::number(std::string_view name, double value) {
    start(number_tag, name);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void PackedSink::whole(std::string_view name, std::uint64_t value) {
    start(whole_tag, name);
    put_whole(bytes_, value);
}

void PackedSink::text(std::string_view name, std::string_view value) {
    start(text_tag, name);
    put_text(bytes_, value);
}

void PackedSink::numbers(std::string_view name, std::span<const double> values) {
    start(numbers_tag, name);
    put_whole(bytes_, values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

void PackedSink::texts(std::string_view name, std::span<const std::string> values) {
    start(texts_tag, name);
    put_whole(bytes_, values.size());
    for (const auto& value : values) put_text(bytes_, value);
}

void PackedSink::open_list(std::string_view name, std::size_t count) {
    start(list_tag, name);
    put_whole(bytes_, count);
    open();
}

void PackedSink::open_record(std::string_view name) {
    start(record_tag, name);
    open();
}

std::string PackedSink::packed() const {
    std::string whole;
    whole.reserve(bytes_.size() + names_.size() + 10);
    put_whole(whole, numbers_of_names_.size());
    return whole.append(names_).append(bytes_);
}

std::optional<PackedTree> PackedTree::open(std::string_view bytes) {
    PackedTree tree(bytes);
    const auto count = tree.take_whole();
    if (!count || *count > bytes.size()) return std::nullopt;
    for (std::uint64_t k = 0; k < *count; ++k) {
        const auto name = tree.take_text();
        if (!name) return std::nullopt;
        tree.names_.push_back(*name);
    }
    return tree;
}

std::optional<std::string_view> PackedTree::take(std::uint64_t size) {
    if (size > bytes_.size() - at_) return std::nullopt;
    const std::string_view taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
}

std::optional<std::uint64_t> PackedTree::take_whole() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const auto byte = take(1);
        if (!byte) return std::nullopt;
        const auto bits = static_cast<unsigned char>(byte->front());
        value |= std::uint64_t{bits & 0x7Fu} << shift;
        if (bits < 0x80) return value;
    }
    return std::nullopt;
}

std::optional<std::string_view> PackedTree::take_text() {
    const auto size = take_whole();
    return size ? take(*size) : std::nullopt;
}

std::optional<std::size_t> PackedTree::take_length() {
    const auto bytes = take(sizeof(std::uint64_t));
    if (!bytes) return std::nullopt;
    std::uint64_t length = 0;
    std::memcpy(&length, bytes->data(), sizeof length);
    if (length > bytes_.size() - at_) return std::nullopt;
    return length;
}

std::optional<PackedTree::Start> PackedTree::start() {
    const auto tag = take(1);
    const auto name = tag ? take_whole() : std::nullopt;
    if (!name || *name >= names_.size()) return std::nullopt;
    return Start{tag->front(), names_[*name]};
}

bool PackedTree::start_leaf(char tag) {
    for (;;) {
        const auto next = start();
        if (!next) return false;
        if (next->tag == tag) return true;
        if (next->tag != record_tag || !take_length()) return false;
    }
}

std::optional<double> PackedTree::number() {
    const auto bytes = start_leaf(number_tag) ? take(sizeof(double)) : std::nullopt;
    if (!bytes) return std::nullopt;
    double value = 0;
    std::memcpy(&value, bytes->data(), sizeof value);
    return value;
}

std::optional<std::uint64_t> PackedTree::whole() { return start_leaf(whole_tag) ? take_whole() : std::nullopt; }

std::optional<std::string> PackedTree::text() {
    const auto value = start_leaf(text_tag) ? take_text() : std::nullopt;
    if (!value) return std::nullopt;
    return std::string(*value);
}

std::optional<std::vector<double>> PackedTree::numbers() {
    const auto count = start_leaf(numbers_tag) ? take_whole() : std::nullopt;
    if (!count || *count > (bytes_.size() - at_) / sizeof(double)) return std::nullopt;
    const auto bytes = take(*count * sizeof(double));
    std::vector<double> values(*count);
    if (*count > 0) std::memcpy(values.data(), bytes->data(), bytes->size());
    return values;
}

std::optional<std::vector<std::string>> PackedTree::texts() {
    const auto count = start_leaf(texts_tag) ? take_whole() : std::nullopt;
    if (!count || *count > bytes_.size() - at_) return std::nullopt;
    std::vector<std::string> values;
    for (std::uint64_t k = 0; k < *count; ++k) {
        const auto value = take_text();
        if (!value) return std::nullopt;
        values.emplace_back(*value);
    }
    return values;
}

std::optional<std::uint64_t> PackedTree::list() {
    const auto count = start_leaf(list_tag) ? take_whole() : std::nullopt;
    const auto length = count ? take_length() : std::nullopt;
    if (!length || *count > *length / 2) return std::nullopt;  // a value is a tag and a name at least
    return count;
}

bool PackedTree::open_record() {
    const auto next = start();
    const auto length = next && next->tag == record_tag ? take_length() : std::nullopt;
    if (!length) return false;
    frames_.push_back({at_, at_ + *length});
    return true;
}

// What follows the tag and the name of a value.
bool PackedTree::skip_held(char tag) {
    if (tag == number_tag) return take(sizeof(double)).has_value();
    if (tag == whole_tag) return take_whole().has_value();
    if (tag == text_tag) return take_text().has_value();
    if (tag == record_tag) {
        const auto length = take_length();
        return length && take(*length);
    }
    const auto count = take_whole();
    if (!count) return false;
    if (tag == list_tag) {
        const auto length = take_length();
        return length && take(*length);
    }
    if (tag == numbers_tag)
        return *count <= (bytes_.size() - at_) / sizeof(double) && take(*count * sizeof(double)).has_value();
    if (tag != texts_tag) return false;
    for (std::uint64_t k = 0; k < *count; ++k)
        if (!take_text()) return false;
    return true;
}

// Fields are asked for in their order, so the next one is nearly always the right one; another is looked for from the
// record's start.
bool PackedTree::has_field(std::string_view name) {
    if (frames_.empty()) return false;
    Frame& frame = frames_.back();
    const auto is_next = [&](std::size_t place) {
        at_ = place;
        const auto next = place < frame.end ? start() : std::nullopt;
        if (!next || next->name != name) return false;
        at_ = place;
        ++frame.found;
        return true;
    };
    const std::size_t here = at_;
    if (is_next(here)) return true;
    frame.in_order = false;
    for (at_ = frame.begin; at_ < frame.end;) {
        const std::size_t place = at_;
        if (is_next(place)) return true;
        at_ = place;
        const auto next = start();
        if (!next || !skip_held(next->tag)) break;
    }
    at_ = here;
    return false;
}

bool PackedTree::close_record() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    std::size_t count = frame.found;
    if (at_ != frame.end || !frame.in_order) {
        count = 0;
        for (at_ = frame.begin; at_ < frame.end; ++count) {
            const auto next = start();
            if (!next || !skip_held(next->tag)) return false;
        }
    }
    at_ = frame.end;
    return frame.found >= count;
}

}  // namespace suffice
