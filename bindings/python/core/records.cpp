// Numbers are floats, lists of them arrays.
#include "core/records.hpp"

#include "core/arrays.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace suffice::python {

Record record_from(const nb::dict& given) {
    Record record;
    for (const auto& [name, value] : given) {
        Record::Value number;
        if (nb::isinstance<nb::float_>(value) || nb::isinstance<nb::int_>(value))
            number = nb::cast<double>(value);
        else
            number = nb::cast<std::vector<double>>(value);
        record.entries.emplace_back(nb::cast<std::string>(name), std::move(number));
    }
    return record;
}

nb::dict dict_of(const Record& record) {
    nb::dict all;
    for (const auto& [name, value] : record.entries)
        all[nb::str(name.c_str())] = std::holds_alternative<double>(value)
                                         ? nb::cast(std::get<double>(value))
                                         : nb::cast(to_array(std::get<std::vector<double>>(value)));
    return all;
}

}  // namespace suffice::python
