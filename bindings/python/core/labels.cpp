// Class labels that are whole numbers -> sorted values and codes, in two reads and without sorting.
#include <cmath>
#include <limits>
#include <optional>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/encode/names.hpp"

namespace suffice::python {
namespace {

struct Encoded {
    std::vector<std::int64_t> values;  // sorted
    bool done = false;
};

// Small numbers from 0 on are their own codes where each of them occurs: one read, and a second one where not.
template <class T>
Encoded encode_small(const T* first, std::ptrdiff_t stride, std::size_t count, std::int32_t* codes) {
    constexpr std::uint64_t limit = 256;
    std::int32_t code[limit] = {};
    for (std::size_t row = 0; row < count; ++row) {
        const auto value = static_cast<std::uint64_t>(first[static_cast<std::ptrdiff_t>(row) * stride]);
        if (value >= limit) return {};
        code[value] = 1;
        codes[row] = static_cast<std::int32_t>(value);
    }
    Encoded done{{}, true};
    for (std::size_t value = 0; value < limit; ++value)
        if (code[value] != 0) {
            code[value] = static_cast<std::int32_t>(done.values.size());
            done.values.push_back(static_cast<std::int64_t>(value));
        }
    if (static_cast<std::size_t>(done.values.back()) + 1 != done.values.size())
        for (std::size_t row = 0; row < count; ++row) codes[row] = code[codes[row]];
    return done;
}

// Values must be whole and lie close together, or a table of them is not worth it.
template <class T>
Encoded encode(const T* first, std::ptrdiff_t stride, std::size_t count, std::int32_t* codes) {
    if constexpr (std::is_integral_v<T>)
        if (auto small = encode_small(first, stride, count, codes); small.done) return small;
    constexpr std::size_t widest_table = std::size_t{1} << 20;
    T low = first[0], high = first[0];
    bool whole = true;
    for (std::size_t row = 0; row < count; ++row) {
        const T value = first[static_cast<std::ptrdiff_t>(row) * stride];
        low = value < low ? value : low;
        high = value > high ? value : high;
        if constexpr (std::is_floating_point_v<T>) whole = whole && value == std::trunc(value);
    }
    if constexpr (std::is_floating_point_v<T>) whole = whole && std::abs(low) < 0x1p30 && std::abs(high) < 0x1p30;
    if constexpr (std::is_same_v<T, std::uint64_t>) whole = high <= std::uint64_t{1} << 62;
    if (!whole) return {};
    const auto base = static_cast<std::int64_t>(low);
    const auto width = static_cast<std::uint64_t>(static_cast<std::int64_t>(high)) - static_cast<std::uint64_t>(base);
    if (width >= widest_table || width > 64 * count + 1024) return {};
    std::vector<std::int32_t> code(width + 1, -1);
    const auto place = [base](T value) { return static_cast<std::size_t>(static_cast<std::int64_t>(value) - base); };
    for (std::size_t row = 0; row < count; ++row) code[place(first[static_cast<std::ptrdiff_t>(row) * stride])] = 0;
    Encoded done{{}, true};
    for (std::size_t at = 0; at <= width; ++at)
        if (code[at] == 0) {
            code[at] = static_cast<std::int32_t>(done.values.size());
            done.values.push_back(base + static_cast<std::int64_t>(at));
        }
    for (std::size_t row = 0; row < count; ++row)
        codes[row] = code[place(first[static_cast<std::ptrdiff_t>(row) * stride])];
    return done;
}

Encoded encode(const Buffer& labels, std::int32_t* codes) {
    const auto of = [&]<class T>(const T* first) { return encode(first, labels.stride(0), labels.size(0), codes); };
    switch (labels.element()) {
        case Element::f64:
            return of(static_cast<const double*>(labels.data()));
        case Element::f32:
            return of(static_cast<const float*>(labels.data()));
        case Element::i64:
            return of(static_cast<const std::int64_t*>(labels.data()));
        case Element::i32:
            return of(static_cast<const std::int32_t*>(labels.data()));
        case Element::i16:
            return of(static_cast<const std::int16_t*>(labels.data()));
        case Element::i8:
            return of(static_cast<const std::int8_t*>(labels.data()));
        case Element::u64:
            return of(static_cast<const std::uint64_t*>(labels.data()));
        case Element::u32:
            return of(static_cast<const std::uint32_t*>(labels.data()));
        case Element::u16:
            return of(static_cast<const std::uint16_t*>(labels.data()));
        case Element::u8:
        case Element::bit:
            return of(static_cast<const std::uint8_t*>(labels.data()));
    }
    return {};
}

// (sorted values, codes), or None where the labels are not whole numbers that lie close together.
nb::object encode_labels(nb::handle array) {
    const Buffer labels(array);
    if (labels.dimension_count() != 1 || labels.size(0) == 0) return nb::none();
    auto codes = new_array<std::int32_t>({labels.size(0)});
    Encoded done;
    {
        const nb::gil_scoped_release release;
        done = encode(labels, codes.data());
    }
    if (!done.done) return nb::none();
    auto values = new_array<std::int64_t>({done.values.size()});
    std::copy(done.values.begin(), done.values.end(), values.data());
    return nb::make_tuple(values, codes);
}

}  // namespace

void bind_labels(nb::module_& module) {
    module.def("encode_labels", &encode_labels, nb::arg("labels"));
    module.def(
        "sorted_names",
        [](std::vector<std::string> names) {
            sort_names(names);
            return names;
        },
        nb::arg("names"));
}

}  // namespace suffice::python
