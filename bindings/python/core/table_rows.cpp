// Copies columns of Python into a table.
#include "core/table_rows.hpp"

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace suffice::python {

Table table_of(const nb::list& columns) {
    Table table;
    for (const nb::handle each : columns) {
        const auto [name, values, levels, declared] =
            nb::cast<std::tuple<std::string, nb::object, nb::object, std::size_t>>(each);
        const Buffer buffer(values);
        if (levels.is_none()) {
            const auto numbers = buffer.doubles(name.c_str());
            table.numbers(name, {numbers.begin(), numbers.end()});
            continue;
        }
        auto known = nb::cast<std::vector<std::string>>(levels);
        std::vector<std::string> words;
        for (const std::int32_t code : buffer.codes(name.c_str()))
            words.push_back(code < 0 ? std::string{} : known.at(static_cast<std::size_t>(code)));
        known.resize(declared);
        declared > 0 ? table.words(name, std::move(words), std::move(known)) : table.words(name, std::move(words));
    }
    return table;
}

TableRows::TableRows(const State& state, const nb::list& columns)
    : table_(table_of(columns)), encoded_(table_.encode(state.get().statistic.schema.columns).value()) {}

void bind_table_rows(nb::module_& module) {
    nb::class_<TableRows>(module, "TableRows").def(nb::init<const State&, const nb::list&>());
}

}  // namespace suffice::python
