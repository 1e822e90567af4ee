// What has changed between two models, from the bytes of their files.
#include "suffice/flow/drift.hpp"

#include "core/bind.hpp"
#include "core/running.hpp"
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "suffice/report/drift_report.hpp"

namespace suffice::python {
namespace {

Model model_of_bytes(const nb::bytes& file) {
    const std::string_view bytes(static_cast<const char*>(file.data()), file.size());
    return Model::from(from_file_bytes(bytes).value()).value();
}

std::string drift_of(const nb::bytes& before, const nb::bytes& after, std::uint64_t seed, int threads) {
    const Model one = model_of_bytes(before), other = model_of_bytes(after);
    const nb::gil_scoped_release release;
    const Running running(threads);
    Context context = running.context();
    context.seed = seed;
    return drift_json(drift(one, other, context).value());
}

// The rows of a file as a model counts its own.
nb::bytes counted_file(const nb::bytes& model, const std::string& path, int threads) {
    const Model like = model_of_bytes(model);
    std::string bytes;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        bytes = to_file_bytes(count_alike(like, {path}, {}, running.context()).value().file());
    }
    return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_drift(nb::module_& module) {
    module.def("drift", &drift_of, nb::arg("before"), nb::arg("after"), nb::arg("seed") = 0, nb::arg("threads") = 0);
    module.def("counted_file", &counted_file, nb::arg("model"), nb::arg("path"), nb::arg("threads") = 0);
    module.def("looks_like_model", &looks_like_model, nb::arg("path"));
}

}  // namespace suffice::python
