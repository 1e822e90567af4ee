// Mixture discriminants: fitted to arrays, scored, explained and drawn from as every model.
#include "suffice/group/mixture_discriminant.hpp"

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/component_shape.hpp"
#include "core/labeled_argument.hpp"
#include "core/running.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/group/mixture_unlabeled.hpp"
#include "suffice/persist/model_file.hpp"

namespace suffice::python {
namespace {

MixtureDiscriminant fit_discriminant(nb::handle rows, nb::handle codes, nb::handle weights,
                                     const std::vector<std::string>& classes, const std::vector<std::string>& columns,
                                     std::size_t components, const std::string& shape, bool per_class,
                                     std::size_t starts, std::size_t step_limit, double tolerance,
                                     double unlabeled_weight, std::uint64_t seed, int threads) {
    const LabeledArgument argument(rows, codes, weights);
    const LabeledBlock& labeled = argument.labeled();
    Schema schema;
    for (const auto& name : columns) schema.columns.push_back({name});
    schema.classes = classes;
    MixtureDiscriminantSettings settings;
    settings.components = components;
    settings.shape = shape_of(shape);
    settings.structures = per_class ? Structures::per_class : Structures::shared;
    settings.steps.starts = starts;
    settings.steps.step_limit = step_limit;
    settings.steps.tolerance = tolerance;
    const nb::gil_scoped_release release;
    const Running running(threads);
    Context context = running.context();
    context.seed = seed;
    MemoryStream stream(labeled, schema);
    return fit_mixture_discriminant(schema, stream, settings, unlabeled_weight, context).value();
}

nb::bytes discriminant_file(const MixtureDiscriminant& model) {
    const std::string file = to_file_bytes({model.state(), {model.weight(), {}}});
    return nb::bytes(file.data(), file.size());
}

// None where the file holds another kind of model.
nb::object discriminant_from_file(const nb::bytes& bytes) {
    ModelFile file = from_file_bytes({bytes.c_str(), bytes.size()}).value();
    auto* state = std::get_if<MixtureState>(&file.state);
    if (state == nullptr) return nb::none();
    return nb::cast(MixtureDiscriminant::from(std::move(*state)).value());
}

}  // namespace

void bind_mixture_discriminant(nb::module_& module) {
    nb::class_<MixtureDiscriminant, Predictor>(module, "MixtureDiscriminant")
        .def_static("fit", &fit_discriminant, nb::arg("rows"), nb::arg("codes"), nb::arg("weights").none(),
                    nb::arg("classes"), nb::arg("columns"), nb::arg("components"), nb::arg("shape"),
                    nb::arg("per_class"), nb::arg("starts"), nb::arg("step_limit"), nb::arg("tolerance"),
                    nb::arg("unlabeled_weight"), nb::arg("seed"), nb::arg("threads") = 0)
        .def("to_file", &discriminant_file)
        .def_prop_ro("columns",
                     [](const MixtureDiscriminant& model) {
                         std::vector<std::string> names;
                         for (const Column& column : model.schema().columns) names.push_back(column.name);
                         return names;
                     })
        .def_prop_ro("class_of", [](const MixtureDiscriminant& model) { return model.state().class_of; })
        .def_prop_ro("structures", [](const MixtureDiscriminant& model) { return model.state().structures; })
        .def_prop_ro("log_weights", [](const MixtureDiscriminant& model) {
            return nb::cast(to_array(model.components().log_prior()));
        });
    module.def("mixture_discriminant_from_file", &discriminant_from_file);
}

}  // namespace suffice::python
