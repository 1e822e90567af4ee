// The largest level in each column of whole numbers, in one read by all threads.
#include <algorithm>
#include <limits>
#include <mutex>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/running.hpp"

#include "suffice/accumulate/fold.hpp"
#include "suffice/accumulate/for_each_unit.hpp"

namespace suffice::python {
namespace {

constexpr std::size_t unit_rows = 4096;

template <class T>
struct Tops {
    std::vector<T> top;
    T lowest = 0;  // not above zero: all that anyone asks is whether it is below

    void read(const T* first, std::size_t rows, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride) {
        for (std::size_t row = 0; row < rows; ++row, first += row_stride)
            for (std::size_t k = 0; k < top.size(); ++k) {
                const T x = first[static_cast<std::ptrdiff_t>(k) * column_stride];
                top[k] = std::max(top[k], x);
                if constexpr (std::is_signed_v<T>) lowest = std::min(lowest, x);
            }
    }
};

template <class T>
bool read_tops(const Buffer& x, std::int64_t* out, const Context& context) {
    const auto* first = static_cast<const T*>(x.data());
    const std::size_t rows = x.size(0), columns = x.size(1);
    Tops<T> all{std::vector<T>(columns, std::numeric_limits<T>::lowest())};
    std::mutex guard;
    const unsigned threads = useful_threads(context, rows * columns * sizeof(T));
    for_each_unit((rows + unit_rows - 1) / unit_rows, threads, context, [&](std::size_t unit, Workspace& workspace) {
        auto& own = workspace.of<Tops<T>>();
        own.top.assign(columns, std::numeric_limits<T>::lowest());
        const std::size_t from = unit * unit_rows;
        own.read(first + static_cast<std::ptrdiff_t>(from) * x.stride(0), std::min(unit_rows, rows - from), x.stride(0),
                 x.stride(1));
        const std::scoped_lock lock(guard);
        for (std::size_t k = 0; k < columns; ++k) all.top[k] = std::max(all.top[k], own.top[k]);
        all.lowest = std::min(all.lowest, own.lowest);
    });
    for (std::size_t k = 0; k < columns; ++k) out[k] = static_cast<std::int64_t>(all.top[k]);
    return all.lowest < T{0};
}

bool read_tops(const Buffer& x, std::int64_t* out, const Context& context) {
    switch (x.element()) {
        case Element::i64:
            return read_tops<std::int64_t>(x, out, context);
        case Element::i32:
            return read_tops<std::int32_t>(x, out, context);
        case Element::i16:
            return read_tops<std::int16_t>(x, out, context);
        case Element::i8:
            return read_tops<std::int8_t>(x, out, context);
        case Element::u64:
            return read_tops<std::uint64_t>(x, out, context);
        case Element::u32:
            return read_tops<std::uint32_t>(x, out, context);
        case Element::u16:
            return read_tops<std::uint16_t>(x, out, context);
        case Element::u8:
        case Element::bit:
            return read_tops<std::uint8_t>(x, out, context);
        case Element::f64:
        case Element::f32:
            break;
    }
    throw Exception(Error(ErrorKind::usage, "levels are whole numbers"));
}

// (largest value of each column, whether any value is negative)
nb::tuple level_tops(nb::handle array, int threads) {
    const Buffer x(array);
    if (x.dimension_count() != 2) throw Exception(Error(ErrorKind::usage, "rows have two dimensions"));
    auto top = new_array<std::int64_t>({x.size(1)});
    bool negative = false;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        negative = read_tops(x, top.data(), running.context());
    }
    return nb::make_tuple(top, negative);
}

}  // namespace

void bind_level_tops(nb::module_& module) {
    module.def("level_tops", &level_tops, nb::arg("rows"), nb::arg("threads") = 0);
}

}  // namespace suffice::python
