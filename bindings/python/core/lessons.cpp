// Learning curves and pictures of families, of rows in memory.
#include <algorithm>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/running.hpp"
#include "core/spelling.hpp"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/flow/learn_curve.hpp"
#include "suffice/show/family_pictures.hpp"

namespace suffice::python {
namespace {

nb::dict curve_dict(const LearnCurve& curve) {
    nb::list points;
    for (const CurvePoint& each : curve.points) {
        nb::dict point;
        point["rows"] = each.rows;
        point["model"] = each.model;
        point["error"] = each.error;
        point["error_se"] = each.error_se;
        point["log_loss"] = each.log_loss;
        point["log_loss_se"] = each.log_loss_se;
        point["parameters"] = each.parameters;
        if (each.squared) {
            point["squared_bias"] = each.squared->bias;
            point["variance"] = each.squared->variance;
        }
        points.append(point);
    }
    nb::dict all;
    all["repeats"] = curve.repeats;
    all["bayes_error"] = curve.bayes_error;
    all["bayes_log_loss"] = curve.bayes_log_loss;
    all["points"] = points;
    all["svg"] = standalone_svg(learn_curve_figure(curve));
    return all;
}

// file: a model to draw rows from, or None: then rows and the names of their classes.
nb::dict learn_curve(nb::handle file, nb::handle rows, const std::vector<std::string>& labels,
                     const std::vector<std::string>& models, const std::vector<std::size_t>& sizes, std::size_t repeats,
                     std::size_t test_rows, std::uint64_t seed) {
    LearnCurveOptions how{models, sizes, repeats, test_rows};
    LearnCurve curve;
    if (!file.is_none()) {
        const auto bytes = nb::cast<nb::bytes>(file);
        const Model truth = Model::from(from_file_bytes({bytes.c_str(), bytes.size()}).value()).value();
        const nb::gil_scoped_release release;
        const Running running(0);
        Context seeded = running.context();
        seeded.seed = seed;
        curve = suffice::learn_curve(truth, {}, how, seeded).value();
    } else {
        const RowsArgument x(rows);
        const Block block = x.block();
        const nb::gil_scoped_release release;
        const Running running(0);
        Context seeded = running.context();
        seeded.seed = seed;
        curve = suffice::learn_curve(block, labels, {}, how, seeded).value();
    }
    return curve_dict(curve);
}

std::string plot_family(nb::handle values, const std::string& column, const std::vector<std::string>& families,
                        const std::string& what, const std::string& prior, double mass) {
    PlotOptions options;
    const auto found = std::ranges::find(plot_names, what);
    if (found == plot_names.end()) throw Exception(Error(ErrorKind::usage, "there is no picture " + what));
    options.what = static_cast<Plot>(found - plot_names.begin());
    options.families = families;
    options.prior = prior;
    options.mass = mass;
    const Buffer buffer(values);
    const auto numbers = buffer.doubles("values");
    return standalone_svg(plot_families({numbers.begin(), numbers.end()}, column, options, {}).value().figure);
}

}  // namespace

void bind_lessons(nb::module_& module) {
    module.def("learn_curve", &learn_curve, nb::arg("file").none(), nb::arg("rows").none(), nb::arg("labels"),
               nb::arg("models"), nb::arg("sizes"), nb::arg("repeats"), nb::arg("test_rows"), nb::arg("seed"));
    module.def("plot_family", &plot_family, nb::arg("values"), nb::arg("column"), nb::arg("families"), nb::arg("what"),
               nb::arg("prior"), nb::arg("mass"));
}

}  // namespace suffice::python
