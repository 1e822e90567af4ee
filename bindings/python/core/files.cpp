// Fitting from files in constant memory, as the command line does.
#include "core/bind.hpp"
#include "core/running.hpp"
#include "core/state.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/flow/given_text.hpp"
#include "suffice/flow/model.hpp"

namespace suffice::python {
namespace {

// A number, a list of them to choose from, or "auto".
void read_strength(nb::handle value, const std::string& word, double& strength, bool& chosen, PenaltySearch& search) {
    chosen = word == "auto" || nb::isinstance<nb::list>(value);
    if (nb::isinstance<nb::list>(value))
        search.strengths = nb::cast<std::vector<double>>(value);
    else if (!chosen)
        strength = nb::cast<double>(value);
}

// What only logistic regression has; missing keys leave it as it is.
void read_regression(const nb::dict& given, FitOptions& options) {
    PenaltySearch& search = options.search;
    for (const auto& [key, value] : given) {
        const auto name = nb::cast<std::string>(key);
        const auto* text = nb::isinstance<nb::str>(value) ? nb::cast<const char*>(value) : "";
        const std::string word = text;
        if (name == "penalty") {
            options.firth = word == "firth";
            options.evidence = word == "evidence";
            if (!options.firth && !options.evidence)
                read_strength(value, word, options.penalty, search.squares, search);
        } else if (name == "lasso") {
            read_strength(value, word, options.lasso, search.lasso, search);
        } else if (name == "path") {
            search.count = nb::cast<std::uint32_t>(value);
        } else if (name == "folds") {
            if (word.empty())
                search.fold_count = nb::cast<std::uint32_t>(value);
            else
                search.fold_column = word;
        } else if (name == "choose") {
            search.simplest = word == "simplest";
        } else if (name == "link") {
            options.link = word == "probit" ? Link::probit : Link::logit;
        } else if (name == "offset") {
            options.offset = word.empty() ? nb::cast<std::vector<std::string>>(value) : std::vector{word};
        } else if (word == "balanced") {
            options.balanced = true;
        } else {
            for (const auto& [label, weight] : nb::cast<nb::dict>(value))
                options.class_weights.emplace_back(nb::cast<std::string>(nb::str(label)), nb::cast<double>(weight));
        }
    }
}

// (state, regression or mixture, notes)
nb::tuple fit_files(const std::vector<std::string>& files, const std::string& target, const std::string& model,
                    const nb::dict& settings, const nb::dict& families, const std::vector<std::string>& exclude,
                    const std::string& weight, const std::vector<std::string>& basis, const nb::dict& regression,
                    const std::vector<std::vector<std::string>>& joint, bool use_unlabeled, std::size_t components,
                    int threads) {
    const Settings given = settings_from(settings);
    FitOptions options;
    options.target = target;
    options.model = model;
    options.exclude = exclude;
    options.weight = weight;
    if (settings.contains("estimate")) options.estimate = given.estimate;
    options.smoothing = given.smoothing;
    options.column_priors = given.column_priors;
    options.class_priors = given.class_priors;
    options.given_priors = given.given_priors;
    if (settings.contains("groups"))
        options.groups = nb::cast<std::vector<std::vector<std::string>>>(settings["groups"]);
    options.shrinkage = given.shrinkage_amount;
    options.shrinkage_kind = given.shrinkage;
    options.alpha = given.own_share;
    options.gamma = given.identity_share;
    options.strict = given.strict;
    options.basis = basis;
    read_regression(regression, options);
    options.joint = joint;
    options.use_unlabeled = use_unlabeled;
    options.components = components;
    for (const auto& [column, family] : families)
        options.families.push_back({nb::cast<std::string>(column), nb::cast<std::string>(family)});
    std::optional<Result<Model>> fitted;
    {
        const nb::gil_scoped_release release;
        const Running running(threads);
        fitted = fit(files, options, running.context());
    }
    const Model& done = fitted->value();
    if (const auto* logistic = done.as<LogisticRegression>()) return nb::make_tuple(*logistic, done.notes());
    if (const auto* mixture = done.as<MixtureDiscriminant>()) return nb::make_tuple(*mixture, done.notes());
    return nb::make_tuple(State(done.as<Classifier>()->state()), done.notes());
}

}  // namespace

void bind_files(nb::module_& module) {
    module.def("fit_files", &fit_files, nb::arg("files"), nb::arg("target"), nb::arg("model"), nb::arg("settings"),
               nb::arg("families"), nb::arg("exclude"), nb::arg("weight"),
               nb::arg("basis") = std::vector<std::string>{}, nb::arg("regression") = nb::dict(),
               nb::arg("joint") = std::vector<std::vector<std::string>>{}, nb::arg("use_unlabeled") = false,
               nb::arg("components") = 0, nb::arg("threads") = 0);
    module.def("given_state", [](const std::string& json) {
        return State(classifier_from(given_model_of(json).value()).value().state());
    });
}

}  // namespace suffice::python
