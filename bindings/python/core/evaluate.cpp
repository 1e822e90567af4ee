// Measures of posteriors beside the truth, and decisions from posteriors.
#include "core/evaluate.hpp"

#include <cmath>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/running.hpp"
#include "core/stages.hpp"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/decide/decision.hpp"
#include "suffice/evaluate/evaluation.hpp"

namespace suffice::python {
namespace {

nb::object value_of(const Defined& value) { return value ? nb::cast(*value) : nb::none(); }

nb::list list_of(const std::vector<Defined>& values) {
    nb::list all;
    for (const Defined& each : values) all.append(value_of(each));
    return all;
}

nb::dict averages_of(const Averaged& values, bool with_micro) {
    nb::dict all;
    all["per_class"] = list_of(values.per_class);
    all["macro"] = value_of(values.macro);
    if (with_micro) all["micro"] = value_of(values.micro);
    all["weighted"] = value_of(values.weighted);
    return all;
}

}  // namespace

nb::dict dict_of(const Scores& scores) {
    const std::size_t class_count = scores.confusion.class_count();
    nb::dict all;
    all["rows"] = scores.row_count;
    all["accuracy"] = value_of(scores.accuracy);
    all["error"] = value_of(scores.error);
    all["log_loss"] = value_of(scores.log_loss);
    all["brier"] = value_of(scores.brier);
    all["balanced_accuracy"] = value_of(scores.balanced_accuracy);
    all["matthews"] = value_of(scores.matthews);
    all["cohen_kappa"] = value_of(scores.cohen_kappa);
    all["calibration_error"] = value_of(scores.calibration_error);
    if (scores.majority) {
        nb::dict majority;
        majority["class"] = scores.majority->class_code;
        majority["accuracy"] = scores.majority->accuracy;
        all["majority"] = majority;
    } else {
        all["majority"] = nb::none();
    }
    nb::list confusion;
    for (std::size_t truth = 0; truth < class_count; ++truth) {
        nb::list line;
        for (std::size_t decision = 0; decision < class_count; ++decision)
            line.append(scores.confusion.at(truth, decision));
        confusion.append(line);
    }
    all["confusion"] = confusion;
    all["precision"] = averages_of(scores.precision, true);
    all["recall"] = averages_of(scores.recall, true);
    all["f1"] = averages_of(scores.f1, true);
    nb::dict areas;
    areas["per_class"] = list_of(scores.roc_auc.per_class);
    areas["macro"] = value_of(scores.roc_auc.macro);
    areas["weighted"] = value_of(scores.roc_auc.weighted);
    nb::list intervals;
    for (const auto& each : scores.roc_auc.interval)
        intervals.append(each ? nb::object(nb::make_tuple(each->low, each->high)) : nb::none());
    areas["interval"] = intervals;
    all["roc_auc"] = areas;
    nb::dict calibration;
    const auto line = [&](const char* name, double CalibrationLine::* member) {
        std::vector<Defined> values;
        for (const auto& each : scores.calibration) values.push_back(each ? Defined((*each).*member) : std::nullopt);
        calibration[name] = list_of(values);
    };
    line("slope", &CalibrationLine::slope);
    line("slope_se", &CalibrationLine::slope_error);
    line("intercept", &CalibrationLine::intercept);
    line("intercept_se", &CalibrationLine::intercept_error);
    line("in_the_large", &CalibrationLine::in_the_large);
    line("in_the_large_se", &CalibrationLine::in_the_large_error);
    all["calibration"] = calibration;
    return all;
}

namespace {

nb::dict evaluate(nb::handle posteriors, nb::handle truths, nb::handle weights) {
    const Buffer p(posteriors), t(truths);
    const OptionalNumbers w(weights);
    const PosteriorRows rows{p.doubles("proba"), p.size(1), t.codes("labels"), w.doubles("sample_weight")};
    Scores scores;
    {
        const nb::gil_scoped_release release;
        Evaluation evaluation = Evaluation::make(rows.class_count).value();
        evaluation.observe(rows).value();
        scores = evaluation.scores();
    }
    return dict_of(scores);
}

Array<std::int32_t> decisions(nb::handle posteriors, nb::handle cost, double reject_below, nb::handle thresholds,
                              nb::handle log_evidence, std::optional<double> novelty_below) {
    const Buffer p(posteriors);
    const OptionalNumbers from(thresholds), evidence(log_evidence);
    DecisionRule rule;
    for (const double each : from.doubles("thresholds"))
        rule.thresholds.push_back(std::isnan(each) ? std::nullopt : std::optional(each));
    rule.novelty_below = novelty_below;
    rule.reject_below = reject_below;
    if (!cost.is_none()) {
        const Buffer c(cost);
        const auto values = c.doubles("cost");
        std::vector<std::string> names;
        for (std::size_t k = 0; k < p.size(1); ++k) names.push_back(std::to_string(k));
        rule.cost = make_cost_matrix(std::move(names), {values.begin(), values.end()}).value();
    }
    const auto codes = decide(p.doubles("proba"), p.size(1), rule, evidence.doubles("log_evidence")).value();
    return to_array<std::int32_t>(codes, {codes.size()});
}

}  // namespace

void bind_evaluate(nb::module_& module) {
    module.def("evaluate", &evaluate, nb::arg("posteriors"), nb::arg("truths"), nb::arg("weights") = nb::none());
    module.def("decide", &decisions, nb::arg("posteriors"), nb::arg("cost").none(), nb::arg("reject_below"),
               nb::arg("thresholds") = nb::none(), nb::arg("log_evidence") = nb::none(),
               nb::arg("novelty_below") = nb::none());
    bind_stages(module);
}

}  // namespace suffice::python
