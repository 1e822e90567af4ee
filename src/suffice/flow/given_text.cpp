// Reads stated models; every shape that JSON allows and a model does not is one sentence.
#include "suffice/flow/given_text.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace suffice {
namespace {

using Json = nlohmann::json;

Result<std::vector<double>> numbers_of(const Json& list, const std::string& what) {
    std::vector<double> values;
    const auto add = [&](const Json& each) {
        if (each.is_number()) values.push_back(each.get<double>());
        return each.is_number();
    };
    if (!list.is_array()) return Error(what + " must be a list of numbers");
    for (const Json& each : list) {
        const bool good = each.is_array() ? std::ranges::all_of(each, add) : add(each);  // a matrix by its rows
        if (!good) return Error(what + " must be a list of numbers");
    }
    return values;
}

Result<std::vector<std::string>> words_of(const Json& list, const std::string& what) {
    std::vector<std::string> words;
    if (!list.is_array()) return Error(what + " must be a list of names");
    for (const Json& each : list) {
        if (!each.is_string()) return Error(what + " must be a list of names");
        words.push_back(each.get<std::string>());
    }
    return words;
}

// One list of numbers for each class, in the order of the classes.
Result<std::vector<std::vector<double>>> by_class(const Json& table, const std::vector<std::string>& classes,
                                                  const std::string& what) {
    if (!table.is_object()) return Error(what + " must name each class");
    std::vector<std::vector<double>> all;
    for (const auto& name : classes) {
        const auto found = table.find(name);
        if (found == table.end()) return Error(what + " lacks class " + name);
        auto values = numbers_of(*found, what + " of class " + name);
        if (!values) return values.error();
        all.push_back(std::move(*values));
    }
    return all;
}

Result<GivenColumn> column_of(const std::string& name, const Json& stated, const std::vector<std::string>& classes) {
    if (!stated.is_object() || !stated.contains("family") || !stated["family"].is_string())
        return Error("column " + name + " must name its family");
    GivenColumn column{name, stated["family"].get<std::string>(), {}};
    if (stated.contains("levels")) {
        auto levels = words_of(stated["levels"], "the levels of column " + name);
        if (!levels) return levels.error();
        column.levels = std::move(*levels);
    }
    auto parameters = by_class(stated, classes, "column " + name);
    if (!parameters) return parameters.error();
    column.by_class = std::move(*parameters);
    return column;
}

Result<void> read_gaussians(const Json& stated, GivenModel& model) {
    auto columns = words_of(stated["columns"], "columns");
    if (!columns) return columns.error();
    model.columns = std::move(*columns);
    auto means = by_class(stated.value("means", Json::object()), model.classes, "means");
    if (!means) return means.error();
    model.means = std::move(*means);
    if (stated.contains("covariances")) {
        auto covariances = by_class(stated["covariances"], model.classes, "covariances");
        if (!covariances) return covariances.error();
        model.covariances = std::move(*covariances);
        return {};
    }
    auto shared = numbers_of(stated.value("covariance", Json()), "covariance");
    if (!shared) return shared.error();
    model.covariances = {std::move(*shared)};
    return {};
}

}  // namespace

Result<GivenModel> given_model_of(const std::string& json) {
    const Json stated = Json::parse(json, nullptr, false);
    if (!stated.is_object()) return Error("a stated model is a JSON object with priors, means, covariance, families");
    for (const auto& [key, value] : stated.items())
        if (key != "priors" && key != "columns" && key != "means" && key != "covariance" && key != "covariances" &&
            key != "families")
            return Error("a stated model has no " + key +
                         "; it has priors, columns, means, covariance or covariances, families");
    GivenModel model;
    const Json priors = stated.value("priors", Json::object());
    if (!priors.is_object() || priors.empty()) return Error("a stated model needs priors, a number for each class");
    for (const auto& [name, prior] : priors.items()) {
        if (!prior.is_number()) return Error("the prior of class " + name + " must be a number");
        model.classes.push_back(name);
        model.priors.push_back(prior.get<double>());
    }
    if (stated.contains("columns"))
        if (auto read = read_gaussians(stated, model); !read) return read.error();
    const Json families = stated.value("families", Json::object());
    for (const auto& [name, column] : families.items()) {
        auto made = column_of(name, column, model.classes);
        if (!made) return made.error();
        model.independent.push_back(std::move(*made));
    }
    if (model.columns.empty() && model.independent.empty())
        return Error("a stated model needs columns with means and a covariance, or families");
    return model;
}

Result<std::vector<StartingCoefficient>> start_of_text(const std::string& json) {
    const Json stated = Json::parse(json, nullptr, false);
    const Error unreadable(
        "a start is a JSON object of coefficients, such as {\"(intercept)\": 0, \"age\": 1}, or of such objects by "
        "class");
    if (!stated.is_object()) return unreadable;
    std::vector<StartingCoefficient> start;
    for (const auto& [name, value] : stated.items()) {
        if (value.is_number()) {
            start.push_back({"", name, value.get<double>()});
            continue;
        }
        if (!value.is_object()) return unreadable;
        for (const auto& [feature, number] : value.items()) {
            if (!number.is_number()) return unreadable;
            start.push_back({name, feature, number.get<double>()});
        }
    }
    return start;
}

Result<Model> model_of_text(const std::string& json) {
    const auto given = given_model_of(json);
    if (!given) return given.error();
    const auto classifier = classifier_from(*given);
    if (!classifier) return classifier.error();
    return Model::from({classifier->state(), {}});
}

}  // namespace suffice
