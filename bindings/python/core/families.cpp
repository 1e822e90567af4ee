// Exponential families by name: parameters and priors are dicts of named numbers.
#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/records.hpp"
#include "core/running.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/family/handle.hpp"

namespace suffice::python {
namespace {

struct Family {
    FamilyHandle held;
};

struct Weighted {
    Buffer values;
    OptionalNumbers weights;
    Weighted(nb::handle x, nb::handle w) : values(x), weights(w) {}
    Numbers x() const { return values.doubles("x"); }
    Numbers w() const { return weights.doubles("weights"); }
};

FamilyEstimate estimate_of(const std::string& name) {
    if (name == "likelihood") return FamilyEstimate::likelihood;
    if (name == "unbiased") return FamilyEstimate::unbiased;
    if (name == "map") return FamilyEstimate::map;
    if (name == "mean") return FamilyEstimate::mean;
    throw Exception(Error("estimate must be likelihood, unbiased, map or mean"));
}

nb::dict fit(const Family& family, nb::handle x, nb::handle weights, const std::string& estimate, nb::handle prior) {
    const Weighted rows(x, weights);
    if (prior.is_none()) return dict_of(family.held->fit(rows.x(), rows.w(), estimate_of(estimate), nullptr).value());
    const Record given = record_from(nb::cast<nb::dict>(prior));
    return dict_of(family.held->fit(rows.x(), rows.w(), estimate_of(estimate), &given).value());
}

Array<double> sample(const Family& family, const nb::dict& parameter, std::size_t count, std::uint64_t seed) {
    Rng rng(seed, "family");
    return to_array(family.held->sample(record_from(parameter), count, rng).value());
}

}  // namespace

void bind_families(nb::module_& module) {
    nb::class_<Family>(module, "Family")
        .def_static("make", [](const std::string& name,
                               const nb::dict& shape) { return Family{make_family(name, record_from(shape)).value()}; })
        .def_prop_ro("name", [](const Family& f) { return std::string(f.held->name()); })
        .def_prop_ro("support", [](const Family& f) { return std::string(f.held->support()); })
        .def_prop_ro("prior_name", [](const Family& f) { return std::string(f.held->prior_name()); })
        .def_prop_ro("shape", [](const Family& f) { return dict_of(f.held->shape()); })
        .def_prop_ro("value_size", [](const Family& f) { return f.held->value_size(); })
        .def("fit", &fit, nb::arg("x"), nb::arg("weights").none(), nb::arg("estimate"), nb::arg("prior").none())
        .def("log_density",
             [](const Family& f, const nb::dict& p, nb::handle x) {
                 return to_array(f.held->log_density(record_from(p), Buffer(x).doubles("x")).value());
             })
        .def("mean", [](const Family& f, const nb::dict& p) { return to_array(f.held->mean(record_from(p)).value()); })
        .def("variance",
             [](const Family& f, const nb::dict& p) { return to_array(f.held->variance(record_from(p)).value()); })
        .def("natural",
             [](const Family& f, const nb::dict& p) { return to_array(f.held->natural(record_from(p)).value()); })
        .def("log_partition",
             [](const Family& f, const nb::dict& p) { return f.held->log_partition(record_from(p)).value(); })
        .def("entropy", [](const Family& f, const nb::dict& p) { return f.held->entropy(record_from(p)).value(); })
        .def("kl_divergence",
             [](const Family& f, const nb::dict& p, const nb::dict& q) {
                 return f.held->kl_divergence(record_from(p), record_from(q)).value();
             })
        .def("default_prior", [](const Family& f) { return dict_of(f.held->default_prior().value()); })
        .def("parse_prior",
             [](const Family& f, const std::string& text) { return dict_of(f.held->parse_prior(text).value()); })
        .def(
            "posterior",
            [](const Family& f, const nb::dict& prior, nb::handle x, nb::handle w) {
                const Weighted rows(x, w);
                return dict_of(f.held->posterior(record_from(prior), rows.x(), rows.w()).value());
            },
            nb::arg("prior"), nb::arg("x"), nb::arg("weights").none())
        .def("prior_mean",
             [](const Family& f, const nb::dict& prior) {
                 return dict_of(f.held->prior_mean(record_from(prior)).value());
             })
        .def("prior_mode",
             [](const Family& f, const nb::dict& prior) {
                 return dict_of(f.held->prior_mode(record_from(prior)).value());
             })
        .def("log_predictive",
             [](const Family& f, const nb::dict& prior, nb::handle x) {
                 return to_array(f.held->log_predictive(record_from(prior), Buffer(x).doubles("x")).value());
             })
        .def(
            "log_evidence",
            [](const Family& f, const nb::dict& prior, nb::handle x, nb::handle w) {
                const Weighted rows(x, w);
                return f.held->log_evidence(record_from(prior), rows.x(), rows.w()).value();
            },
            nb::arg("prior"), nb::arg("x"), nb::arg("weights").none())
        .def("sample", &sample);
    module.def("family_names", [] {
        std::vector<std::string> names;
        for (const auto each : family_names()) names.emplace_back(each);
        return names;
    });
}

}  // namespace suffice::python
