// The stages behind a model: calibrations, thresholds and usual log evidences, fitted to posteriors and kept in files.
#include "core/stages.hpp"

#include "core/arrays.hpp"
#include "core/running.hpp"
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "suffice/decide/decision.hpp"
#include "suffice/decide/thresholds.hpp"
#include "suffice/evaluate/evaluation.hpp"
#include "suffice/persist/bytes.hpp"
#include "suffice/persist/model_file.hpp"

namespace suffice::python {
namespace {

struct Stages {
    std::vector<std::string> classes;
    Calibration calibration;
    DecisionStage decision;
    static constexpr auto fields =
        FieldTuple{field("classes", &Stages::classes), field("calibration", &Stages::calibration),
                   field("decision", &Stages::decision)};
    bool operator==(const Stages&) const = default;
};

// (place of the class, precision, recall or cost, the number asked for)
using Goal = std::tuple<std::size_t, std::string, double>;

ThresholdGoal goal_of(const Goal& goal, std::size_t class_count) {
    const auto kind = std::ranges::find(threshold_goal_names, std::get<1>(goal));
    if (kind == threshold_goal_names.end() || std::get<0>(goal) >= class_count)
        throw Exception(Error(ErrorKind::usage, "a threshold is chosen for precision, recall or cost"));
    return {std::get<0>(goal), static_cast<ThresholdGoal::Kind>(kind - threshold_goal_names.begin()),
            std::get<2>(goal)};
}

// (stages, cross-validated log losses by method)
nb::tuple fit_stages(nb::handle posteriors, nb::handle truths, nb::handle weights, std::vector<std::string> classes,
                     const std::string& method, const std::vector<Goal>& goals, nb::handle log_evidence) {
    const Buffer p(posteriors), t(truths);
    const OptionalNumbers w(weights), usual(log_evidence);
    const auto given = p.doubles("proba");
    const auto evidence = usual.doubles("log_evidence");
    const PosteriorRows rows{given, p.size(1), t.codes("labels"), w.doubles("sample_weight")};
    Stages made;
    made.classes = std::move(classes);
    std::vector<std::pair<std::string, double>> scores;
    {
        const nb::gil_scoped_release release;
        if (method == "auto") {
            CalibrationChoice chosen = choose_calibration(rows).value();
            made.calibration = std::move(chosen.calibration);
            for (const auto& each : chosen.scores) scores.emplace_back(each.name, each.log_loss);
        } else {
            made.calibration = fit_calibration(method, rows).value();
        }
        if (!goals.empty()) {
            std::vector<double> calibrated(given.begin(), given.end());
            made.calibration.apply(calibrated, rows.class_count).value();
            Evaluation evaluation = Evaluation::make(rows.class_count).value();
            evaluation.observe({calibrated, rows.class_count, rows.truths, rows.weights}).value();
            for (const Goal& each : goals) {
                const ThresholdGoal goal = goal_of(each, rows.class_count);
                const auto choice = choose_threshold(evaluation.threshold_curve(goal.of_class), goal).value();
                made.decision.thresholds.push_back({made.classes[goal.of_class], choice.threshold});
            }
        }
        made.decision.usual_evidence = usual_evidence({evidence.begin(), evidence.end()});
    }
    return nb::make_tuple(made, scores);
}

Array<double> apply(const Stages& stages, nb::handle posteriors) {
    const Buffer p(posteriors);
    const auto given = p.doubles("proba");
    auto result = to_array<double>(given, {p.size(0), p.size(1)});
    stages.calibration.apply({result.data(), given.size()}, p.size(1)).value();
    return result;
}

Stages with_threshold(const Stages& stages, const std::string& class_name, double threshold) {
    Stages made = stages;
    std::erase_if(made.decision.thresholds, [&](const ClassThreshold& each) { return each.class_name == class_name; });
    made.decision.thresholds.push_back({class_name, threshold});
    return made;
}

double novelty_level(const Stages& stages, double share) {
    return novelty_threshold(stages.decision.usual_evidence, share).value();
}

nb::bytes stages_bytes(const Stages& stages) {
    const auto bytes = to_bytes(stages);
    return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Stages stages_from_bytes(const nb::bytes& bytes) {
    return from_bytes<Stages>({reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size()}).value();
}

const std::vector<std::string>& classes_of(const ModelFile& file) {
    if (const auto* sum = std::get_if<ModelState>(&file.state)) return sum->statistic.schema.classes;
    if (const auto* mixture = std::get_if<MixtureState>(&file.state)) return mixture->schema.classes;
    return std::get<LogisticState>(file.state).schema.classes;
}

// None where there are none.
nb::object stages_of_file(const nb::bytes& bytes) {
    ModelFile file = from_file_bytes({bytes.c_str(), bytes.size()}).value();
    if (file.calibration == Calibration{} && file.decision.empty()) return nb::none();
    return nb::cast(Stages{classes_of(file), std::move(file.calibration), std::move(file.decision)});
}

nb::bytes file_with_stages(const nb::bytes& bytes, const Stages& stages) {
    ModelFile file = from_file_bytes({bytes.c_str(), bytes.size()}).value();
    if (classes_of(file) != stages.classes)
        throw Exception(Error("the file has the classes in another order than the calibration"));
    const bool none = std::holds_alternative<NoCalibration>(stages.calibration.stage());
    file.calibration = none ? Calibration{} : stages.calibration;
    file.decision = stages.decision;
    const std::string made = to_file_bytes(file);
    return nb::bytes(made.data(), made.size());
}

Array<std::int32_t> top_codes(nb::handle posteriors, std::size_t k) {
    const Buffer p(posteriors);
    const auto codes = top_classes(p.doubles("proba"), p.size(1), k).value();
    return to_array<std::int32_t>(codes, {p.size(0), k});
}

}  // namespace

void bind_stages(nb::module_& module) {
    nb::class_<Stages>(module, "Stages")
        .def_static("fit", &fit_stages, nb::arg("posteriors"), nb::arg("truths"), nb::arg("weights").none(),
                    nb::arg("classes"), nb::arg("method"), nb::arg("goals"), nb::arg("log_evidence").none())
        .def("apply", &apply)
        .def("with_threshold", &with_threshold)
        .def("novelty_level", &novelty_level)
        .def_prop_ro("method", [](const Stages& stages) { return std::string(stages.calibration.name()); })
        .def_prop_ro("knows_usual", [](const Stages& stages) { return !stages.decision.usual_evidence.empty(); })
        .def_prop_ro("thresholds",
                     [](const Stages& stages) {
                         std::vector<std::pair<std::string, double>> all;
                         for (const auto& each : stages.decision.thresholds)
                             all.emplace_back(each.class_name, each.threshold);
                         return all;
                     })
        .def("to_bytes", &stages_bytes)
        .def_static("from_bytes", &stages_from_bytes);
    module.def("stages_of_file", &stages_of_file);
    module.def("file_with_stages", &file_with_stages);
    module.def("top_classes", &top_codes);
}

}  // namespace suffice::python
