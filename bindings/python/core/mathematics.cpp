// The small functions of suffice.math over arrays, as the library itself computes them.
#include <cmath>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/math/log_sum_exp.hpp"
#include "suffice/math/sequential.hpp"
#include "suffice/math/sigmoid.hpp"
#include "suffice/math/softmax_jacobian.hpp"

namespace suffice::python {
namespace {

template <class Function>
Array<double> each_of(nb::handle array, Function function) {
    const Buffer buffer(array);
    const auto values = buffer.doubles("a");
    std::vector<double> out(values.size());
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = function(values[k]);
    return to_array(std::move(out));
}

// Rows of `width` numbers side by side, each replaced by what `function` makes of it.
template <class Function>
Array<double> each_row(nb::handle array, std::size_t width, Function function) {
    const Buffer buffer(array);
    const auto values = buffer.doubles("a");
    std::vector<double> out;
    for (std::size_t first = 0; width > 0 && first < values.size(); first += width)
        for (double each : function(std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(first),
                                                        values.begin() + static_cast<std::ptrdiff_t>(first + width))))
            out.push_back(each);
    return to_array(std::move(out));
}

std::vector<double> softmax_of(std::vector<double> terms) {
    softmax(terms);
    return terms;
}

}  // namespace

void bind_mathematics(nb::module_& module) {
    module.def("sigmoid", [](nb::handle a) { return each_of(a, [](double x) { return sigmoid(x); }); });
    module.def("sigmoid_derivative",
               [](nb::handle a) { return each_of(a, [](double x) { return sigmoid_derivative(x); }); });
    module.def("logit", [](nb::handle a) { return each_of(a, [](double x) { return logit(x); }); });
    module.def("logit_derivative",
               [](nb::handle p) { return each_of(p, [](double x) { return logit_derivative(x); }); });
    module.def("softmax", [](nb::handle a, std::size_t width) { return each_row(a, width, softmax_of); });
    module.def("softmax_jacobian", [](nb::handle a) { return each_row(a, Buffer(a).size(0), softmax_jacobian); });
    module.def("log_sum_exp", [](nb::handle a, std::size_t width) {
        return each_row(a, width, [](const std::vector<double>& row) { return std::vector{log_sum_exp(row)}; });
    });
    module.def("hoeffding", &hoeffding_bound);
    module.def("hoeffding_reach", &hoeffding_reach);
    module.def("robbins_monro", [](nb::handle values, double start) {
        return to_array(robbins_monro_path(Buffer(values).doubles("values"), start));
    });
}

}  // namespace suffice::python
