// Copies columns of Python into a table.
#include "core/table_rows.hpp"

#include <algorithm>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "suffice/encode/dates.hpp"
#include "suffice/flow/reading.hpp"

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

namespace {

// The part of dates that a model's column holds by its name ("sold.month"), of words; None: its name is no part's.
// `state`, where there is one, knows whether its dates put the day first.
nb::object date_part_of(nb::handle state, const std::string& name, const std::vector<std::string>& words) {
    const auto named = part_named(name);
    if (!named) return nb::none();
    ReadOptions read;
    if (!state.is_none()) read = remembered(read, nb::cast<const State&>(state).seen().reading);
    const auto known = read.day_first.find(named->column);
    const bool day_first =
        known != read.day_first.end()
            ? known->second
            : std::ranges::any_of(words, [](const std::string& word) { return puts_day_first(word); });
    std::vector<double> parts;
    for (const std::string& word : words) parts.push_back(date_part(word, named->part, day_first));
    return nb::cast(to_array(parts));
}

}  // namespace

void bind_table_rows(nb::module_& module) {
    nb::class_<TableRows>(module, "TableRows").def(nb::init<const State&, const nb::list&>());
    module.def("date_part", &date_part_of, nb::arg("state").none(), nb::arg("name"), nb::arg("words"));
}

}  // namespace suffice::python
