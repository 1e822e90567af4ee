// Reports and pictures of rows in memory.
#include "suffice/show/report.hpp"

#include <algorithm>
#include <array>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/running.hpp"
#include "core/spelling.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/show/plot.hpp"

namespace suffice::python {
namespace {

Model model_of(const nb::bytes& file) {
    return Model::from(from_file_bytes({file.c_str(), file.size()}).value()).value();
}

// Rows with their codes, held while the library reads them.
struct LabeledRows {
    RowsArgument x;
    Buffer codes;
    OptionalNumbers weights;

    LabeledRows(nb::handle rows, nb::handle code, nb::handle weight) : x(rows), codes(code), weights(weight) {}
    LabeledBlock block(const Model& model) const {
        const LabeledBlock labeled{x.block(), codes.codes("codes"), weights.doubles("weights"), 0};
        if (labeled.label.size() != labeled.size() || column_count(x.block()) != model.schema().columns.size())
            throw Exception(Error("rows and labels do not match the model or each other in number"));
        return labeled;
    }
};

template <std::size_t count>
std::size_t position_of(const std::array<std::string_view, count>& names, const std::string& name, const char* what) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) throw Exception(Error(std::string("there is no ") + what + " " + name));
    return static_cast<std::size_t>(found - names.begin());
}

std::string report_text(const nb::bytes& file, nb::handle rows, nb::handle codes, nb::handle weights,
                        const std::string& format, const std::vector<std::string>& columns, int threads) {
    constexpr std::array<std::string_view, 3> formats{"html", "md", "json"};
    const LabeledRows labeled(rows, codes, weights);
    const Model model = model_of(file);
    const LabeledBlock block = labeled.block(model);
    ReportOptions options;
    options.spell = spell_keyword;
    options.format = static_cast<ReportFormat>(position_of(formats, format, "format"));
    options.columns = columns;
    const nb::gil_scoped_release release;
    const Running running(threads);
    return report(model, block, options, running.context()).value().text;
}

// The picture, or as JSON what it is drawn from.
std::string picture_text(const nb::bytes& file, nb::handle rows, nb::handle codes, const std::string& what,
                         const std::vector<std::string>& columns, bool data, int threads) {
    const LabeledRows labeled(rows, codes, nb::none());
    const Model model = model_of(file);
    const LabeledBlock block = labeled.block(model);
    PlotOptions options;
    options.what = static_cast<Plot>(position_of(plot_names, what, "picture"));
    options.columns = columns;
    const nb::gil_scoped_release release;
    const Running running(threads);
    const Plotted plotted = plot(model, block, options, running.context()).value();
    return data ? plotted.data : standalone_svg(plotted.figure);
}

}  // namespace

void bind_report(nb::module_& module) {
    module.def("report_text", &report_text, nb::arg("file"), nb::arg("rows"), nb::arg("codes"),
               nb::arg("weights").none(), nb::arg("format"), nb::arg("columns"), nb::arg("threads") = 0);
    module.def("picture_text", &picture_text, nb::arg("file"), nb::arg("rows"), nb::arg("codes"), nb::arg("what"),
               nb::arg("columns"), nb::arg("data") = false, nb::arg("threads") = 0);
}

}  // namespace suffice::python
