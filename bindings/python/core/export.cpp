// Models that leave: ONNX, C and SQL from the bytes of a model file.
#include "core/bind.hpp"
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "suffice/export/exported_model.hpp"

namespace suffice::python {
namespace {

ExportedModel file_to_export(const nb::bytes& file) {
    const nb::gil_scoped_release release;
    const std::string_view bytes(static_cast<const char*>(file.data()), file.size());
    return exported(Model::from(from_file_bytes(bytes).value()).value()).value();
}

}  // namespace

void bind_export(nb::module_& module) {
    module.def("export_onnx", [](const nb::bytes& file) {
        const std::string made = onnx_model(file_to_export(file)).value();
        return nb::bytes(made.data(), made.size());
    });
    module.def("export_c", [](const nb::bytes& file, const std::string& prefix, const std::string& header,
                              const std::string& type) {
        const auto number = value_named<CNumber>(type);
        if (!number) throw Exception(Error("type is \"double\" or \"float\""));
        const CSource made = c_source(file_to_export(file), prefix, header, *number).value();
        return nb::make_tuple(made.source, made.header);
    });
    module.def("export_sql", [](const nb::bytes& file, const std::string& dialect, const std::string& table) {
        const auto known = value_named<SqlDialect>(dialect);
        if (!known) throw Exception(Error("dialect is " + one_of(enum_names<SqlDialect>)));
        return sql_query(file_to_export(file), *known, table).value();
    });
}

}  // namespace suffice::python
