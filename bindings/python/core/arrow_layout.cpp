// Reads single values out of Arrow's buffers.
#include "core/arrow_layout.hpp"

#include <charconv>
#include <cmath>
#include <cstring>

#include "suffice/base/result.hpp"

namespace suffice::python {
namespace {

template <class T>
T number(const ArrowArray& values, std::size_t buffer, std::size_t at) {
    T value;
    std::memcpy(&value, static_cast<const char*>(values.buffers[buffer]) + at * sizeof(T), sizeof(T));
    return value;
}

std::size_t place(const ArrowArray& values, std::size_t row) { return static_cast<std::size_t>(values.offset) + row; }

[[noreturn]] void refuse_text() { throw Exception(Error("a table's text is not laid out as it says")); }

template <class Offset>
std::string word_between(const ArrowArray& values, std::size_t at) {
    const auto first = number<Offset>(values, 1, at), end = number<Offset>(values, 1, at + 1);
    if (first < 0 || end < first) refuse_text();
    if (end == first) return {};  // an array of empty words alone may have no buffer of text
    if (values.n_buffers < 3 || values.buffers[2] == nullptr) refuse_text();
    return {static_cast<const char*>(values.buffers[2]) + first, static_cast<std::size_t>(end - first)};
}

// Sixteen bytes: a length, then up to twelve bytes of text, or four, the number of a buffer and a place in it. The last
// buffer tells how long those of text are.
std::string viewed_word(const ArrowArray& values, std::size_t at) {
    const char* view = static_cast<const char*>(values.buffers[1]) + 16 * at;
    std::int32_t parts[4];
    std::memcpy(parts, view, 16);
    if (parts[0] < 0) refuse_text();
    const auto length = static_cast<std::size_t>(parts[0]);
    if (length <= 12) return {view + 4, length};
    if (parts[2] < 0 || parts[3] < 0 || std::int64_t{parts[2]} + 3 >= values.n_buffers) refuse_text();
    const auto last = static_cast<std::size_t>(values.n_buffers - 1);
    if (values.buffers[2 + parts[2]] == nullptr || values.buffers[last] == nullptr) refuse_text();
    if (std::int64_t{parts[3]} + parts[0] > number<std::int64_t>(values, last, static_cast<std::size_t>(parts[2])))
        refuse_text();
    return {static_cast<const char*>(values.buffers[2 + parts[2]]) + parts[3], length};
}

// "d:precision,scale[,bits]"
int decimal_scale(std::string_view format) {
    const auto comma = format.find(',');
    int scale = 0;
    if (comma != std::string_view::npos)
        std::from_chars(format.data() + comma + 1, format.data() + format.size(), scale);
    return scale;
}

template <class T>
std::string whole(const ArrowArray& values, std::size_t at) {
    return std::to_string(number<T>(values, 1, at));
}

}  // namespace

std::optional<Element> element_of(std::string_view format) {
    if (format.size() != 1) return std::nullopt;
    switch (format[0]) {
        case 'b':
            return Element::bit;
        case 'c':
            return Element::i8;
        case 'C':
            return Element::u8;
        case 's':
            return Element::i16;
        case 'S':
            return Element::u16;
        case 'i':
            return Element::i32;
        case 'I':
            return Element::u32;
        case 'l':
            return Element::i64;
        case 'L':
            return Element::u64;
        case 'f':
            return Element::f32;
        case 'g':
            return Element::f64;
        default:
            return std::nullopt;
    }
}

bool is_words(std::string_view format) { return format == "u" || format == "U" || format == "vu"; }

bool is_converted(std::string_view format) {
    if (format == "e") return true;
    if (!format.starts_with("d:")) return false;
    const auto second = format.find(',', format.find(',') + 1);
    return second == std::string_view::npos || format.substr(second + 1) == "128";
}

bool is_there(const ArrowArray& values, std::size_t row) {
    const auto* bits = static_cast<const std::uint8_t*>(values.n_buffers > 0 ? values.buffers[0] : nullptr);
    const std::size_t at = place(values, row);
    return values.null_count == 0 || bits == nullptr || ((bits[at / 8] >> (at % 8)) & 1) != 0;
}

double converted(std::string_view format, const ArrowArray& values, std::size_t row) {
    const std::size_t at = place(values, row);
    if (format == "e") return static_cast<double>(number<_Float16>(values, 1, at));
    const auto low = number<std::uint64_t>(values, 1, 2 * at);
    const auto high = number<std::int64_t>(values, 1, 2 * at + 1);
    const auto unscaled = std::ldexp(static_cast<long double>(high), 64) + static_cast<long double>(low);
    return static_cast<double>(unscaled / std::pow(10.0L, decimal_scale(format)));
}

std::string word(std::string_view format, const ArrowArray& values, std::size_t row) {
    const std::size_t at = place(values, row);
    if (format == "u") return word_between<std::int32_t>(values, at);
    if (format == "U") return word_between<std::int64_t>(values, at);
    return viewed_word(values, at);
}

std::string entry_name(std::string_view format, const ArrowArray& values, std::size_t row) {
    if (is_words(format)) return word(format, values, row);
    const std::size_t at = place(values, row);
    const auto element = element_of(format);
    if (element) switch (*element) {
            case Element::i8:
                return whole<std::int8_t>(values, at);
            case Element::u8:
                return whole<std::uint8_t>(values, at);
            case Element::i16:
                return whole<std::int16_t>(values, at);
            case Element::u16:
                return whole<std::uint16_t>(values, at);
            case Element::i32:
                return whole<std::int32_t>(values, at);
            case Element::u32:
                return whole<std::uint32_t>(values, at);
            case Element::i64:
                return whole<std::int64_t>(values, at);
            case Element::u64:
                return whole<std::uint64_t>(values, at);
            default:
                break;
        }
    throw Exception(Error(ErrorKind::usage, "the entries of a dictionary must be words or whole numbers"));
}

}  // namespace suffice::python
