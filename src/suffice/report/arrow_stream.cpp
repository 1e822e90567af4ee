// Schema, batches of rows, end: https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format
#include "suffice/report/arrow_stream.hpp"

#include <charconv>
#include <cstring>

#include "suffice/report/flat_buffer.hpp"

namespace suffice {
namespace {

// Numbers of Arrow's Message.fbs and Schema.fbs.
constexpr std::int16_t version_5 = 4, double_precision = 2;
constexpr std::uint8_t schema_header = 1, batch_header = 3, int_type = 2, float_type = 3, utf8_type = 5;
constexpr std::size_t rows_of_batch = std::size_t{1} << 16;

std::string message(FlatBuffer& flat, std::uint8_t header_type, FlatBuffer::Offset header, std::string_view body) {
    flat.begin_table(5);
    flat.field(3, static_cast<std::int64_t>(body.size()));
    flat.field_offset(2, header);
    flat.field(0, version_5);
    flat.field(1, header_type);
    const std::string metadata = flat.finish(flat.end_table());
    std::string bytes(4, '\xFF');
    const auto length = static_cast<std::int32_t>(metadata.size());
    bytes.append(reinterpret_cast<const char*>(&length), 4).append(metadata).append(body);
    return bytes;
}

FlatBuffer::Offset type_table(FlatBuffer& flat, std::uint8_t type) {
    flat.begin_table(type == int_type ? 2 : type == float_type ? 1 : 0);
    if (type == int_type) {
        flat.field<std::int32_t>(0, 64);
        flat.field<std::uint8_t>(1, 1);  // signed
    } else if (type == float_type) {
        flat.field(0, double_precision);
    }
    return flat.end_table();
}

std::string schema_message(std::span<const ArrowColumn> columns) {
    FlatBuffer flat;
    std::vector<FlatBuffer::Offset> fields;
    for (const auto& column : columns) {
        const auto* words = std::get_if<ArrowWords>(&column.values);
        const std::uint8_t type = words == nullptr ? float_type : words->whole ? int_type : utf8_type;
        const auto name = flat.text(column.name), kind = type_table(flat, type), children = flat.offsets({});
        flat.begin_table(7);
        flat.field_offset(0, name);
        flat.field_offset(3, kind);
        flat.field_offset(5, children);
        flat.field<std::uint8_t>(1, words != nullptr);  // nullable
        flat.field(2, type);
        fields.push_back(flat.end_table());
    }
    const auto all = flat.offsets(fields);
    flat.begin_table(4);
    flat.field_offset(1, all);
    return message(flat, schema_header, flat.end_table(), {});
}

// The buffers of a batch, one behind the other, each at a multiple of eight bytes.
class Body {
public:
    template <class T>
    void add(const std::vector<T>& values) {
        add(std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
    }
    void add(std::string_view values) {
        buffers.emplace_back(bytes.size(), values.size());
        bytes.append(values);
        bytes.resize((bytes.size() + 7) / 8 * 8);
    }
    void node(std::size_t rows, std::size_t nulls) { nodes.emplace_back(rows, nulls); }

    std::string bytes = {};
    std::vector<std::pair<std::int64_t, std::int64_t>> buffers = {}, nodes = {};
};

void add_numbers(Body& body, const ArrowNumbers& numbers, std::size_t first, std::size_t rows) {
    std::vector<double> values(rows);
    for (std::size_t row = 0; row < rows; ++row) values[row] = numbers.values[(first + row) * numbers.stride];
    body.node(rows, 0);
    body.add("");  // no row is null
    body.add(values);
}

void add_words(Body& body, const ArrowWords& given, std::size_t first, std::size_t rows) {
    const auto codes = given.codes.subspan(first, rows);
    std::string valid((rows + 7) / 8, '\0');
    std::size_t nulls = 0;
    std::vector<std::int32_t> ends{0};
    std::vector<std::int64_t> whole;
    std::string letters;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::string_view word =
            codes[row] < 0 ? "" : std::string_view(given.words[static_cast<std::size_t>(codes[row])]);
        if (codes[row] < 0)
            ++nulls;
        else
            valid[row / 8] = static_cast<char>(valid[row / 8] | (1 << (row % 8)));
        if (given.whole) {
            std::int64_t value = 0;
            std::from_chars(word.data(), word.data() + word.size(), value);
            whole.push_back(value);
        } else {
            letters += word;
            ends.push_back(static_cast<std::int32_t>(letters.size()));
        }
    }
    body.node(rows, nulls);
    body.add(valid);
    if (given.whole) return body.add(whole);
    body.add(ends);
    body.add(letters);
}

std::string batch_message(std::span<const ArrowColumn> columns, std::size_t first, std::size_t rows) {
    Body body;
    for (const auto& column : columns) {
        if (const auto* numbers = std::get_if<ArrowNumbers>(&column.values))
            add_numbers(body, *numbers, first, rows);
        else
            add_words(body, std::get<ArrowWords>(column.values), first, rows);
    }
    FlatBuffer flat;
    const auto buffers = flat.pairs(body.buffers), nodes = flat.pairs(body.nodes);
    flat.begin_table(4);
    flat.field(0, static_cast<std::int64_t>(rows));
    flat.field_offset(1, nodes);
    flat.field_offset(2, buffers);
    return message(flat, batch_header, flat.end_table(), body.bytes);
}

}  // namespace

std::string arrow_stream(std::span<const ArrowColumn> columns, std::size_t rows) {
    std::string bytes = schema_message(columns);
    for (std::size_t first = 0; first < rows; first += rows_of_batch)
        bytes += batch_message(columns, first, std::min(rows_of_batch, rows - first));
    return bytes.append("\xFF\xFF\xFF\xFF\0\0\0\0", 8);
}

}  // namespace suffice
