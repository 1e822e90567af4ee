// Fitting by the name of a model: from files in constant memory, as the command line does, and from tables in memory.
#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/fit_arguments.hpp"
#include "core/running.hpp"
#include "core/setting_values.hpp"
#include "core/spelling.hpp"
#include "core/state.hpp"
#include "core/table_rows.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/flow/fit.hpp"
#include "suffice/flow/given_text.hpp"
#include "suffice/flow/settings_table.hpp"

namespace suffice::python {
namespace {

WeightKind kind_of_weights(const std::string& name) {
    const auto kind = value_named<WeightKind>(name);
    if (!kind) throw Exception(Error(ErrorKind::input, "weight_kind must be frequency or importance"));
    return *kind;
}

nb::tuple fit_files(const std::vector<std::string>& files, const std::string& target, const std::string& model,
                    const nb::dict& settings, const nb::dict& families, const std::vector<std::string>& exclude,
                    const std::string& weight, const std::string& weight_kind, int threads) {
    FitOptions options = options_of(target, model, settings, families);
    options.weight_kind = kind_of_weights(weight_kind);
    options.exclude = exclude;
    options.weight = weight;
    std::optional<Result<Model>> fitted;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        fitted = fit(files, options, running.context());
    }
    return result_of(fitted->value());
}

nb::tuple fit_table(const nb::list& columns, const std::vector<std::string>& labels, nb::handle weights,
                    const std::string& target, const std::string& model, const nb::dict& settings,
                    const nb::dict& families, const std::string& weight_kind, int threads) {
    FitOptions options = options_of(target, model, settings, families);
    options.weight_kind = kind_of_weights(weight_kind);
    const Table table = table_of(columns);
    const OptionalNumbers weight(weights);
    std::optional<Result<Model>> fitted;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        fitted = fit(table, labels, weight.doubles("weights"), options, running.context());
    }
    return result_of(fitted->value());
}

// What every surface makes its settings from.
nb::list settings_list() {
    nb::list all;
    for (const Setting& each : settings_table()) {
        nb::dict entry;
        entry["name"] = std::string(each.name);
        entry["option"] = each.option;
        entry["part"] = std::string(each.part);
        entry["told"] = each.told;
        entry["default"] = python_value(each.get(FitOptions{}));
        entry["is_switch"] = each.is_switch;
        nb::list examples, takers;
        for (const SettingValue& example : each.examples)
            examples.append(nb::make_tuple(python_value(example), example.text()));
        for (const ModelEntry& model : models())
            if (model.takes(each.name)) takers.append(std::string(model.name));
        entry["examples"] = examples;  // as Python has them, and as the command takes them
        entry["models"] = takers;
        all.append(entry);
    }
    return all;
}

}  // namespace

void bind_files(nb::module_& module) {
    module.def("fit_files", &fit_files, nb::arg("files"), nb::arg("target"), nb::arg("model"), nb::arg("settings"),
               nb::arg("families"), nb::arg("exclude"), nb::arg("weight"), nb::arg("weight_kind") = "frequency",
               nb::arg("threads") = 0);
    module.def("fit_table", &fit_table, nb::arg("columns"), nb::arg("labels"), nb::arg("weights").none(),
               nb::arg("target"), nb::arg("model"), nb::arg("settings"), nb::arg("families"),
               nb::arg("weight_kind") = "frequency", nb::arg("threads") = 0);
    module.def("settings_list", &settings_list);
    module.def("given_state", [](const std::string& json) {
        return State(classifier_from(given_model_of(json).value()).value().state());
    });
}

}  // namespace suffice::python
