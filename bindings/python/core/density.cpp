// Kernel densities over points of Python.
#include "suffice/estimate/kernel_density.hpp"

#include <memory>
#include <string>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/running.hpp"
#include <nanobind/stl/string.h>

#include "suffice/data/rows_of.hpp"

namespace suffice::python {
namespace {

KernelShape kernel_of(const std::string& name) {
    if (name == "gaussian") return KernelShape::gaussian;
    if (name == "tophat") return KernelShape::tophat;
    if (name == "epanechnikov") return KernelShape::epanechnikov;
    if (name == "exponential") return KernelShape::exponential;
    if (name == "linear") return KernelShape::linear;
    if (name == "cosine") return KernelShape::cosine;
    throw Exception(Error(ErrorKind::usage, "there is no kernel " + name));
}

Matrix matrix_of(const Block& block) {
    const std::size_t n = row_count(block), d = column_count(block);
    Matrix made(n, d);
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t j = 0; j < d; ++j) made(row, j) = value_at(block, row, j);
    return made;
}

class Density {
public:
    Density(nb::handle points, nb::handle weight, const std::string& kernel, double bandwidth, int threads) {
        const RowsArgument x(points);
        const OptionalNumbers weights(weight);
        const auto w = weights.doubles("weight");
        DensitySettings settings;
        settings.kernel = kernel_of(kernel);
        settings.rule = BandwidthRule::given;
        settings.scale = BandwidthScale::unit;
        settings.bandwidth = bandwidth;
        const nb::gil_scoped_release release;
        const Running running(threads);
        density_ = std::make_unique<KernelDensity>(KernelDensity::from(matrix_of(x.block()),
                                                                       std::vector<double>(w.begin(), w.end()),
                                                                       settings, running.context())
                                                       .value());
    }

    Array<double> log_density(nb::handle rows, int threads) const {
        const RowsArgument x(rows);
        std::vector<double> out;
        {
            const nb::gil_scoped_release release;
            const Running running(threads);
            out = density_->log_density(matrix_of(x.block()), running.context()).value();
        }
        return to_array(out);
    }

private:
    std::unique_ptr<KernelDensity> density_;
};

}  // namespace

void bind_density(nb::module_& module) {
    nb::class_<Density>(module, "KernelDensity")
        .def(nb::init<nb::handle, nb::handle, const std::string&, double, int>(), nb::arg("points"),
             nb::arg("weight").none(), nb::arg("kernel"), nb::arg("bandwidth"), nb::arg("threads") = 0)
        .def("log_density", &Density::log_density, nb::arg("rows"), nb::arg("threads") = 0);
}

}  // namespace suffice::python
