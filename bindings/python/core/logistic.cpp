// Logistic regression: fitted to arrays, and read off as arrays.
#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/labeled_argument.hpp"
#include "core/running.hpp"
#include "core/spelling.hpp"
#include "core/state.hpp"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/model/logistic_regression.hpp"
#include "suffice/persist/model_file.hpp"
#include "suffice/regress/logistic_evidence.hpp"
#include "suffice/regress/logistic_profile.hpp"

namespace suffice::python {
namespace {

Inference inference_of(const std::string& name) {
    if (name == "none") return Inference::none;
    if (name == "where_cheap") return Inference::where_cheap;
    if (name == "always") return Inference::always;
    throw Exception(Error(ErrorKind::usage, "inference must be none, where_cheap or always"));
}

LogisticSettings logistic_settings(const nb::dict& given) {
    LogisticSettings settings;
    for (const auto& [key, value] : given) {
        const auto name = nb::cast<std::string>(key);
        if (name == "penalty") {
            settings.penalty = nb::cast<double>(value);
        } else if (name == "lasso") {
            settings.lasso = nb::cast<double>(value);
        } else if (name == "intercept") {
            settings.intercept = nb::cast<bool>(value);
        } else if (name == "intercept_scale") {
            settings.intercept_scale = nb::cast<double>(value);
        } else if (name == "class_weight") {
            settings.class_weight = nb::cast<std::vector<double>>(value);
        } else if (name == "tolerance") {
            settings.tolerance = nb::cast<double>(value);
        } else if (name == "gradient_tolerance") {
            settings.gradient_tolerance = nb::cast<double>(value);
        } else if (name == "step_limit") {
            settings.step_limit = nb::cast<std::uint32_t>(value);
        } else if (name == "firth") {
            settings.firth = nb::cast<bool>(value);
        } else if (name == "link") {
            settings.link = nb::cast<std::string>(value) == "probit" ? Link::probit : Link::logit;
        } else if (name == "offset") {
            const auto columns = nb::cast<std::vector<std::string>>(value);
            if (columns.size() == 1)
                settings.offset = columns.front();
            else
                settings.class_offset = columns;
        } else if (name == "robust") {
            settings.errors = nb::cast<bool>(value) ? CoefficientErrors::robust : CoefficientErrors::likelihood;
        } else if (name == "importance") {
            settings.importance = nb::cast<bool>(value);
        } else if (name == "inference") {
            settings.inference = inference_of(nb::cast<std::string>(value));
        } else {
            throw Exception(Error(ErrorKind::usage, "logistic regression has no setting " + name));
        }
    }
    return settings;
}

Schema schema_of(const std::optional<std::vector<std::string>>& columns, std::size_t column_count,
                 const std::vector<std::string>& classes) {
    Schema schema;
    schema.columns.resize(column_count);
    for (std::size_t k = 0; k < column_count; ++k)
        schema.columns[k].name = columns ? columns->at(k) : "x" + std::to_string(k);
    schema.classes = classes;
    return schema;
}

// Coefficients by class and intercepts, or None.
std::optional<LogisticParameter> start_of(nb::handle start) {
    if (start.is_none()) return std::nullopt;
    const auto pair = nb::cast<nb::tuple>(start);
    const Buffer coefficient(pair[0]), intercept(pair[1]);
    const auto w = coefficient.doubles("coefficients"), b = intercept.doubles("intercepts");
    return LogisticParameter{{w.begin(), w.end()}, {b.begin(), b.end()}};
}

LogisticRegression fit_logistic(nb::handle rows, nb::handle codes, nb::handle weights,
                                const std::vector<std::string>& classes, const nb::dict& settings, nb::handle start,
                                const std::optional<std::vector<std::string>>& columns, int threads) {
    const LabeledArgument argument(rows, codes, weights);
    const LabeledBlock& labeled = argument.labeled();
    const std::size_t d = column_count(labeled.rows);
    if (columns && columns->size() != d) throw Exception(Error("there must be one name for each column"));
    const LogisticSettings wanted = logistic_settings(settings);
    const auto from = start_of(start);
    const nb::gil_scoped_release release;
    const Running running(threads);
    const Schema schema = schema_of(columns, d, classes);
    const Features features = Features::of(schema).value();
    MemoryStream stream(labeled, schema);
    return fit_logistic_regression(schema, features, stream, wanted, running.context(), from).value();
}

// One dict for each step of Newton's method, or against the gradient where `descent` has a rate. start: None, or
// coefficients by class and intercepts.
nb::list newton_steps(nb::handle rows, nb::handle codes, nb::handle weights, const std::vector<std::string>& classes,
                      const nb::dict& settings, nb::handle start, std::optional<double> descent) {
    const LabeledArgument argument(rows, codes, weights);
    const LabeledBlock& labeled = argument.labeled();
    const LogisticSettings wanted = logistic_settings(settings);
    const Schema schema = schema_of({}, column_count(labeled.rows), classes);
    const auto from = start_of(start);
    LogisticTrace trace;
    trace.descent = descent;
    {
        const nb::gil_scoped_release release;
        const Running running(0);
        MemoryStream stream(labeled, schema);
        fit_logistic_regression(schema, Features::of(schema).value(), stream, wanted, running.context(), from, &trace)
            .value();
    }
    nb::list steps;
    for (const LogisticStep& each : trace.steps) {
        nb::dict step;
        step["log_likelihood"] = each.log_likelihood;
        step["objective"] = each.objective;
        step["gradient_norm"] = each.gradient;
        step["step_length"] = each.length;
        step["condition"] = each.condition;
        step["coefficients"] = each.coefficient;
        steps.append(step);
    }
    return steps;
}

// (low, high) of each coefficient, the intercept first, class by class, and (term, statistic, degrees, p) of each
// column.
nb::tuple likelihood_ratios_of(const LogisticRegression& model, nb::handle rows, nb::handle codes, nb::handle weights,
                               bool profile, bool tests, double coverage, int threads) {
    const LabeledArgument argument(rows, codes, weights);
    const LabeledBlock& labeled = argument.labeled();
    const LogisticState& state = model.state();
    LikelihoodRatios told;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        MemoryStream stream(labeled, state.schema);
        told = likelihood_ratios(state.schema, state.features, stream, state.settings, state.parameter,
                                 state.log_likelihood, {profile, tests, coverage}, running.context())
                   .value();
    }
    nb::list intervals, all;
    for (const ProfileInterval& each : told.intervals) intervals.append(nb::make_tuple(each.low, each.high));
    for (const TermTest& each : told.tests)
        all.append(nb::make_tuple(each.term, each.statistic, each.degrees, each.p_value));
    return nb::make_tuple(intervals, all);
}

// The penalty of greatest evidence for these rows.
double evidence_penalty(nb::handle rows, nb::handle codes, nb::handle weights, const std::vector<std::string>& classes,
                        const nb::dict& settings, const std::optional<std::vector<std::string>>& columns, int threads) {
    const LabeledArgument argument(rows, codes, weights);
    const LabeledBlock& labeled = argument.labeled();
    const LogisticSettings wanted = logistic_settings(settings);
    const nb::gil_scoped_release release;
    const Running running(threads);
    const Schema schema = schema_of(columns, column_count(labeled.rows), classes);
    MemoryStream stream(labeled, schema);
    return penalty_of_greatest_evidence(schema, Features::of(schema).value(), stream, wanted, running.context())
        .value();
}

// A regression with the given coefficients, by class, and what else is known of it.
LogisticRegression given(nb::handle coefficient, nb::handle intercept, const std::vector<std::string>& classes,
                         const std::optional<std::vector<std::string>>& columns, const nb::dict& settings,
                         const nb::dict& known) {
    const Buffer coefficient_buffer(coefficient), intercept_buffer(intercept);
    const auto w = coefficient_buffer.doubles("coefficients"), b = intercept_buffer.doubles("intercepts");
    LogisticState state;
    const std::size_t d = w.size() / std::max<std::size_t>(b.size(), 1);
    state.schema = schema_of(columns, d, classes);
    state.features = Features::of(state.schema).value();
    state.settings = logistic_settings(settings);
    state.parameter = {{w.begin(), w.end()}, {b.begin(), b.end()}};
    const auto numbers = [&](const char* name) {
        return known.contains(name) ? nb::cast<std::vector<double>>(known[name]) : std::vector<double>{};
    };
    const auto number = [&](const char* name) { return known.contains(name) ? nb::cast<double>(known[name]) : 0.0; };
    state.covariance = numbers("covariance");
    state.class_weight = numbers("class_weight");
    state.log_likelihood = number("log_likelihood");
    state.null_log_likelihood = number("null_log_likelihood");
    state.rank = known.contains("rank") ? nb::cast<std::uint64_t>(known["rank"]) : d;
    state.schema.integer_classes = known.contains("integer_classes") && nb::cast<bool>(known["integer_classes"]);
    return LogisticRegression::from(std::move(state)).value();
}

// The model's settings on new rows, from where it stands.
LogisticRegression updated(const LogisticRegression& model, nb::handle rows, nb::handle codes, nb::handle weights,
                           int threads) {
    const LabeledArgument argument(rows, codes, weights);
    const LabeledBlock& labeled = argument.labeled();
    const nb::gil_scoped_release release;
    const Running running(threads);
    MemoryStream stream(labeled, model.schema());
    return update(model, stream, running.context()).value();
}

nb::bytes logistic_file(const LogisticRegression& model) {
    const std::string file = to_file_bytes({model.state(), {model.weight(), {}}});
    return nb::bytes(file.data(), file.size());
}

// None: the file holds a model of another kind.
std::optional<LogisticRegression> logistic_from_file(const nb::bytes& bytes) {
    ModelFile file = from_file_bytes({bytes.c_str(), bytes.size()}).value();
    auto* state = std::get_if<LogisticState>(&file.state);
    if (state == nullptr) return std::nullopt;
    return LogisticRegression::from(std::move(*state)).value();
}

// One dict per line of the table of estimates.
nb::list table(const LogisticRegression& model, double coverage) {
    nb::list lines;
    for (const CoefficientLine& each : model.table(coverage).value()) {
        nb::dict line;
        line["class"] = model.schema().classes[each.class_code];
        line["name"] = each.name;
        line["coefficient"] = each.coefficient;
        line["standard_error"] = each.standard_error;
        line["z"] = each.z;
        line["p_value"] = each.p_value;
        line["low"] = each.low;
        line["high"] = each.high;
        lines.append(line);
    }
    return lines;
}

// One dict per strength of the penalty that was tried, strongest first.
nb::list path(const LogisticRegression& model) {
    nb::list steps;
    for (const PenaltyStep& each : model.state().path) {
        nb::dict step;
        step["penalty"] = each.penalty;
        step["lasso"] = each.lasso;
        step["log_loss"] = each.log_loss;
        step["log_loss_se"] = each.log_loss_error;
        step["features"] = each.features;
        step["chosen"] = each.chosen;
        steps.append(step);
    }
    return steps;
}

// What was estimated, and how the search for it ended.
void bind_estimates(nb::class_<LogisticRegression, Predictor>& bound) {
    using Model = LogisticRegression;
    bound
        .def_prop_ro("coefficient",
                     [](const Model& model) {
                         return nb::cast(to_array<double>(model.state().parameter.coefficient,
                                                          {model.class_count(), model.feature_count()}));
                     })
        .def_prop_ro("intercept",
                     [](const Model& model) { return nb::cast(to_array(model.state().parameter.intercept)); })
        .def_prop_ro("covariance",
                     [](const Model& model) -> nb::object {
                         const std::vector<double>& all = model.state().covariance;
                         if (all.empty()) return nb::none();
                         const std::size_t side = (model.class_count() - 1) * (model.feature_count() + 1);
                         return nb::cast(to_array<double>(all, {side, side}));
                     })
        .def_prop_ro("log_likelihood", &Model::log_likelihood)
        .def_prop_ro("deviance", &Model::deviance)
        .def_prop_ro("null_deviance", &Model::null_deviance)
        .def_prop_ro("parameter_count", &Model::parameter_count)
        .def_prop_ro("aic", &Model::aic)
        .def_prop_ro("bic", &Model::bic)
        .def_prop_ro("likelihood_ratio_p_value", &Model::likelihood_ratio_p_value)
        .def_prop_ro("rank", [](const Model& model) { return model.state().rank; })
        .def_prop_ro("iterations", [](const Model& model) { return model.state().iterations; })
        .def_prop_ro("converged", [](const Model& model) { return model.state().converged; })
        .def_prop_ro("separated", [](const Model& model) { return model.state().separated; })
        .def_prop_ro("notes", [](const Model& model) { return told(model.notes(), spell_keyword); });
}

}  // namespace

void bind_logistic(nb::module_& module) {
    using Model = LogisticRegression;
    nb::class_<Model, Predictor> bound(module, "LogisticModel");
    bound.def("table", &table)
        .def("likelihood_ratios", &likelihood_ratios_of, nb::arg("rows"), nb::arg("codes"), nb::arg("weights").none(),
             nb::arg("profile"), nb::arg("tests"), nb::arg("coverage"), nb::arg("threads") = 0)
        .def("to_file", &logistic_file)
        .def_prop_ro("path", &path)
        .def("moderated", [](const Model& model) { return model.moderated().value(); })
        .def_prop_ro("laplace_log_evidence", [](const Model& model) { return model.laplace_log_evidence().value(); })
        .def_prop_ro("firth", [](const Model& model) { return model.state().settings.firth; })
        .def_prop_ro(
            "link", [](const Model& model) { return model.state().settings.link == Link::probit ? "probit" : "logit"; })
        .def("updated", &updated, nb::arg("rows"), nb::arg("codes"), nb::arg("weights").none(), nb::arg("threads") = 0)
        .def_prop_ro("levels",  // of each column; none: numbers
                     [](const Model& model) {
                         std::vector<std::vector<std::string>> all;
                         for (const Column& column : model.schema().columns) all.push_back(column.levels);
                         return all;
                     })
        .def_prop_ro("plain",  // whether its settings are those of scikit-learn's class, which takes no missing values
                     [](const Model& model) {
                         const auto& state = model.state();
                         return state.features.plain() && state.unit.empty() && state.columns.empty();
                     })
        .def_prop_ro("integer_classes", [](const Model& model) { return model.schema().integer_classes; })
        .def_prop_ro("columns",
                     [](const Model& model) {
                         std::vector<std::string> names;
                         for (const Column& column : model.schema().columns) names.push_back(column.name);
                         return names;
                     })
        .def_prop_ro("penalty", [](const Model& model) { return model.state().settings.penalty; })
        .def_prop_ro("lasso", [](const Model& model) { return model.state().settings.lasso; })
        .def_prop_ro("offset",  // columns; empty: none
                     [](const Model& model) { return model.state().settings.offset_columns(); })
        .def_prop_ro("has_intercept", [](const Model& model) { return model.state().settings.intercept; })
        .def_prop_ro("class_weight", [](const Model& model) { return nb::cast(to_array(model.class_weight())); })
        .def_prop_ro("classes", [](const Model& model) { return model.schema().classes; });
    bind_estimates(bound);
    module.def("newton_steps", &newton_steps, nb::arg("rows"), nb::arg("codes"), nb::arg("weights").none(),
               nb::arg("classes"), nb::arg("settings"), nb::arg("start").none(), nb::arg("descent").none());
    module.def("fit_logistic", &fit_logistic, nb::arg("rows"), nb::arg("codes"), nb::arg("weights").none(),
               nb::arg("classes"), nb::arg("settings"), nb::arg("start") = nb::none(), nb::arg("columns") = nb::none(),
               nb::arg("threads") = 0);
    module.def("evidence_penalty", &evidence_penalty, nb::arg("rows"), nb::arg("codes"), nb::arg("weights").none(),
               nb::arg("classes"), nb::arg("settings"), nb::arg("columns") = nb::none(), nb::arg("threads") = 0);
    module.def("given_logistic", &given, nb::arg("coefficient"), nb::arg("intercept"), nb::arg("classes"),
               nb::arg("columns") = nb::none(), nb::arg("settings") = nb::dict(), nb::arg("known") = nb::dict());
    module.def("logistic_from_file", &logistic_from_file);
    module.def("logistic_of", [](const Classifier& model) { return to_logistic(model).value(); });
}

}  // namespace suffice::python
