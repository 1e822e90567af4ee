// Reads jobs.
#include "core/part_jobs.hpp"

#include "core/bind.hpp"
#include "core/fit_arguments.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace suffice::python {
namespace {

template <class T>
T entry(const nb::dict& job, const char* name, T otherwise) {
    return job.contains(name) && !job[name].is_none() ? nb::cast<T>(job[name]) : otherwise;
}

}  // namespace

FitOptions options_of(const nb::dict& job) {
    FitOptions options =
        python::options_of(entry(job, "target", std::string{}), entry(job, "model", std::string{"naive_bayes"}),
                           entry(job, "settings", nb::dict{}), entry(job, "families", nb::dict{}));
    options.exclude = entry(job, "exclude", std::vector<std::string>{});
    options.weight = entry(job, "weight", std::string{});
    options.has_classes = !job.contains("groups");
    return options;
}

std::optional<ClusterOptions> groups_of(const nb::dict& job) {
    if (!job.contains("groups")) return std::nullopt;
    const auto given = nb::cast<nb::dict>(job["groups"]);
    ClusterOptions groups;
    groups.model = cluster_model(entry(given, "model", std::string{"gaussian_mixture"})).value();
    groups.least = groups.most = entry(given, "k", std::size_t{2});
    if (groups.most == 0) throw Exception(Error(ErrorKind::usage, "the number of groups must be at least 1"));
    const auto shape = entry(given, "covariance", std::string{"full"});
    const auto known = value_named<ComponentShape>(shape);
    if (!known) throw Exception(Error(ErrorKind::usage, "there is no covariance " + shape));
    groups.shapes = {*known};
    groups.starts = entry(given, "starts", std::size_t{0});
    groups.step_limit = entry(given, "steps", std::size_t{0});
    if (given.contains("tolerance") && !given["tolerance"].is_none())
        groups.tolerance = nb::cast<double>(given["tolerance"]);
    groups.hard = entry(given, "hard", false);
    return groups;
}

std::optional<CompareOptions> comparison_of(const nb::dict& job) {
    if (!job.contains("compare")) return std::nullopt;
    const auto given = nb::cast<nb::dict>(job["compare"]);
    CompareOptions how;
    how.models = entry(given, "models", std::vector<std::string>{});
    how.fold_count = entry(given, "folds", how.fold_count);
    how.repeats = entry(given, "repeats", how.repeats);
    how.how.nested = entry(given, "nested", false);
    return how;
}

FitOptions naming_options_of(const nb::dict& job) {
    const FitOptions options = options_of(job);
    const auto how = comparison_of(job);
    if (!how && options.model != "auto") return options;
    FitOptions naming = naming_options(options, how.value_or(CompareOptions()));
    if (!job.contains("naming")) return naming;
    const auto settled = nb::cast<nb::dict>(job["naming"]);
    const auto chosen = python::options_of(naming.target, entry(settled, "model", naming.model), nb::dict{},
                                           entry(settled, "families", nb::dict{}));
    naming.model = chosen.model;
    naming.families = chosen.families;
    return naming;
}

RoundsJob rounds_job(ModelFile blank, const nb::dict& job) {
    RoundsJob whole{naming_options_of(job), std::move(blank), groups_of(job), comparison_of(job), options_of(job)};
    if (whole.compared.model == "auto") whole.options = whole.compared;
    return whole;
}

std::uint64_t seed_of(const nb::dict& job) { return entry(job, "seed", std::uint64_t{0}); }

}  // namespace suffice::python
