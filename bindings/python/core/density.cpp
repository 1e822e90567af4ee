// Kernel densities over points of Python.
#include <memory>
#include <mutex>
#include <string>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/running.hpp"
#include <nanobind/stl/string.h>

#include "suffice/density/density_settings.hpp"
#include "suffice/density/kernel_density.hpp"
#include "suffice/density/kernel_tree.hpp"
#include "suffice/density/sheather_jones.hpp"

namespace suffice::python {
namespace {

KernelShape kernel_of(const std::string& name) {
    if (const auto shape = value_named<KernelShape>(name)) return *shape;
    throw Exception(Error(ErrorKind::usage, "there is no kernel " + name));
}

Matrix block_matrix(const Block& block) {
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
        density_ = std::make_unique<KernelDensity>(KernelDensity::from(block_matrix(x.block()),
                                                                       std::vector<double>(w.begin(), w.end()),
                                                                       settings, running.context())
                                                       .value());
    }

    // Exact without tolerances, and then with the tree where the kernel ends somewhere.
    Array<double> log_density(nb::handle rows, double absolute, double relative, int threads) {
        const RowsArgument x(rows);
        const KernelShape shape = density_->settings().kernel;
        const bool endless = shape == KernelShape::gaussian || shape == KernelShape::exponential;
        std::vector<double> out;
        {
            const nb::gil_scoped_release release;
            const Running running(threads);
            const Matrix at = block_matrix(x.block());
            if (endless && absolute == 0 && relative == 0) {
                out = density_->log_density(at, running.context()).value();
            } else {
                std::call_once(planted_,
                               [&] { tree_ = std::make_unique<KernelTree>(KernelTree::from(*density_).value()); });
                out = tree_->log_density(at, {absolute, relative}, running.context()).value();
            }
        }
        return to_array(out);
    }

private:
    std::once_flag planted_;
    std::unique_ptr<KernelTree> tree_;
    std::unique_ptr<KernelDensity> density_;
};

double sheather_jones(nb::handle values, nb::handle weight) {
    const Buffer buffer(values);
    const OptionalNumbers weights(weight);
    const auto x = buffer.doubles("values");
    const auto w = weights.doubles("weight");
    const std::vector<double> one(w.empty() ? x.size() : 0, 1.0);
    return sheather_jones_bandwidth(x, w.empty() ? std::span<const double>(one) : w).value();
}

}  // namespace

void bind_density(nb::module_& module) {
    module.def("sheather_jones", &sheather_jones, nb::arg("values"), nb::arg("weight").none());
    nb::class_<Density>(module, "KernelDensity")
        .def(nb::init<nb::handle, nb::handle, const std::string&, double, int>(), nb::arg("points"),
             nb::arg("weight").none(), nb::arg("kernel"), nb::arg("bandwidth"), nb::arg("threads") = 0)
        .def("log_density", &Density::log_density, nb::arg("rows"), nb::arg("absolute") = 0.0,
             nb::arg("relative") = 0.0, nb::arg("threads") = 0);
}

}  // namespace suffice::python
