// Reads and changes flatbuffers by their layout.
#include "suffice/read/arrow/ipc_metadata.hpp"

#include <cstring>
#include <utility>

namespace suffice {
namespace {

using Bytes = std::vector<std::uint8_t>;

// A table starts with the distance to its list of fields (behind or before it), which has its own size, the table's,
// then each field's place in the table; 0: the field is not there.
class Flat {
public:
    explicit Flat(const arrow::Buffer& bytes) : bytes_(bytes.data(), bytes.data() + bytes.size()) {}
    std::int64_t root() const { return get<std::uint32_t>(0); }
    std::int64_t field(std::int64_t table, int number) const {
        const std::int64_t list = list_of(table), entry = 4 + 2 * std::int64_t{number};
        if (entry + 2 > get<std::uint16_t>(list)) return 0;
        const std::int64_t within = get<std::uint16_t>(list + entry);
        return within == 0 ? 0 : table + within;
    }
    std::int64_t follow(std::int64_t field) const { return field + get<std::uint32_t>(field); }
    template <class T>
    T get(std::int64_t at) const {
        T value{};
        if (at >= 0 && at + std::int64_t{sizeof(T)} <= std::ssize(bytes_))
            std::memcpy(&value, bytes_.data() + at, sizeof(T));
        return value;
    }
    // Lists are shared between tables that are alike, so this one gets a list of its own, without the field.
    Bytes without(std::int64_t table, int number) && {
        const std::int64_t list = list_of(table), length = get<std::uint16_t>(list);
        bytes_.resize((bytes_.size() + 7) / 8 * 8);
        const auto fresh = std::ssize(bytes_);
        for (std::int64_t k = 0; k < length; ++k) bytes_.push_back(get<std::uint8_t>(list + k));
        bytes_.resize((bytes_.size() + 7) / 8 * 8);
        set(fresh + 4 + 2 * std::int64_t{number}, std::uint16_t{0});
        set(table, static_cast<std::int32_t>(table - fresh));
        return std::move(bytes_);
    }
    const Bytes& bytes() const { return bytes_; }

private:
    std::int64_t list_of(std::int64_t table) const { return table - get<std::int32_t>(table); }
    template <class T>
    void set(std::int64_t at, T value) {
        std::memcpy(bytes_.data() + at, &value, sizeof(T));
    }
    Bytes bytes_;
};

template <class T>
void append(Bytes& bytes, T value) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof(T));
}

// References point forward only, so the message stands in front of the footer that holds its schema.
Bytes message_of_schema(const Flat& footer, std::int64_t schema, std::int16_t version) {
    constexpr std::uint32_t list = 8, table = 24, size = 24, header = table + 4;
    constexpr std::uint8_t schema_type = 1;
    Bytes message;
    append(message, table);
    append(message, std::uint32_t{0});
    for (const std::uint16_t word : {12, 24, 16, 18, 4, 8, 0, 0}) append(message, word);  // sizes; fields 0 to 3
    append(message, static_cast<std::int32_t>(table - list));
    append(message, static_cast<std::uint32_t>(table + size + schema - header));
    append(message, std::int64_t{0});  // no body
    append(message, version);
    append(message, schema_type);
    message.resize(table + size);
    message.insert(message.end(), footer.bytes().begin(), footer.bytes().end());
    return message;
}

}  // namespace

UnmarkedBatch without_compression(std::shared_ptr<arrow::Buffer> metadata) {
    constexpr int header = 2, compression = 3, codec = 0;
    Flat flat(*metadata);
    const std::int64_t batch = flat.follow(flat.field(flat.root(), header)), mark = flat.field(batch, compression);
    if (mark == 0) return {arrow::Compression::UNCOMPRESSED, std::move(metadata)};
    const std::int64_t kind = flat.field(flat.follow(mark), codec);
    const bool zstd = kind != 0 && flat.get<std::int8_t>(kind) == 1;  // a lacking field means 0, LZ4_FRAME
    return {zstd ? arrow::Compression::ZSTD : arrow::Compression::LZ4_FRAME,
            arrow::Buffer::FromVector(std::move(flat).without(batch, compression))};
}

IpcFooter read_footer(const arrow::Buffer& footer) {
    constexpr int version = 0, schema = 1, dictionaries = 2, record_batches = 3;
    const Flat flat(footer);
    const auto starts = [&](int list) {
        constexpr std::int64_t block = 24;  // where the message starts, and two lengths
        std::vector<std::int64_t> found;
        const std::int64_t field = flat.field(flat.root(), list);
        if (field == 0) return found;
        const std::int64_t first = flat.follow(field);
        for (std::int64_t k = 0; k < flat.get<std::uint32_t>(first); ++k)
            found.push_back(flat.get<std::int64_t>(first + 4 + k * block));
        return found;
    };
    const std::int64_t version_at = flat.field(flat.root(), version), schema_at = flat.field(flat.root(), schema);
    const auto number = version_at == 0 ? std::int16_t{0} : flat.get<std::int16_t>(version_at);
    return {arrow::Buffer::FromVector(message_of_schema(flat, flat.follow(schema_at), number)), starts(dictionaries),
            starts(record_batches)};
}

}  // namespace suffice
