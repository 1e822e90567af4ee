// Exponential families by name and their statistics as values: parameters and priors are dicts of named numbers.
#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/records.hpp"
#include "core/running.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/family/gaussian_vector_maps.hpp"
#include "suffice/family/handle.hpp"
#include "suffice/family/predictive_form.hpp"
#include "suffice/persist/bytes.hpp"

namespace suffice::python {
namespace {

struct Family {
    FamilyHandle held;
};

FamilyStatistic observe_family(const Family& family, nb::handle x, nb::handle weights) {
    const Buffer values(x);
    const OptionalNumbers given(weights);
    return family.held->observe(values.doubles("x"), given.doubles("weights")).value();
}

FamilyEstimate estimate_of(const std::string& name) {
    if (name == "likelihood") return FamilyEstimate::likelihood;
    if (name == "unbiased") return FamilyEstimate::unbiased;
    if (name == "map") return FamilyEstimate::map;
    if (name == "mean") return FamilyEstimate::mean;
    throw Exception(Error("estimate must be likelihood, unbiased, map or mean"));
}

nb::dict fit_family(const Family& family, const FamilyStatistic& rows, const std::string& estimate, nb::handle prior) {
    if (prior.is_none()) return dict_of(family.held->fit(rows, estimate_of(estimate)).value());
    const Record given = record_from(nb::cast<nb::dict>(prior));
    return dict_of(family.held->fit(rows, estimate_of(estimate), &given).value());
}

nb::list credible_of(const Family& family, const nb::dict& prior, double mass) {
    nb::list all;
    for (const auto& each : family.held->credible_intervals(record_from(prior), mass).value())
        all.append(nb::make_tuple(each.quantity, each.place ? nb::cast(*each.place) : nb::none(), each.interval.low,
                                  each.interval.high));
    return all;
}

// The name of the distribution and its numbers; None where it has no usual name.
nb::object predictive_of(const Family& family, const nb::dict& prior) {
    const Record belief = record_from(prior);
    (void)family.held->prior_mean(belief).value();  // what is no prior is refused
    const auto form = predictive_form(*family.held, belief);
    return form ? nb::object(nb::make_tuple(form->name, dict_of(form->parameters))) : nb::none();
}

nb::bytes statistic_bytes(const FamilyStatistic& statistic) {
    const auto bytes = to_bytes(statistic);
    return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

FamilyStatistic statistic_from(const nb::bytes& bytes) {
    return from_bytes<FamilyStatistic>({reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size()}).value();
}

// A changed copy; what `change` refuses is thrown.
template <class Change>
FamilyStatistic changed(const FamilyStatistic& statistic, Change change) {
    FamilyStatistic copy = statistic;
    change(copy).value();
    return copy;
}

GaussianVector::Parameter gaussian_of(const nb::dict& given) {
    return from_record<GaussianVector::Parameter>("gaussian_vector", record_from(given), {}, Absent::refuse).value();
}

nb::dict gaussian_dict(const Result<GaussianVector::Parameter>& made) { return dict_of(to_record(made.value())); }

nb::dict gaussian_affine(const nb::dict& parameter, std::size_t rows, std::vector<double> matrix,
                         std::vector<double> offset, std::vector<double> noise, std::vector<double> cross) {
    const auto p = gaussian_of(parameter);
    AffineMap map{Matrix(rows, p.mean.size()), std::move(offset), {}, std::move(noise), std::move(cross)};
    if (matrix.size() != rows * p.mean.size())
        throw Exception(Error(ErrorKind::usage, "the matrix must have a column for each of the " +
                                                    std::to_string(p.mean.size()) + " columns of the Gaussian"));
    map.matrix.values = std::move(matrix);
    return gaussian_dict(affine_map(p, map));
}

void bind_gaussian_maps(nb::module_& module) {
    module.def("gaussian_from_covariance", [](std::vector<double> mean, std::vector<double> covariance) {
        return gaussian_dict(gaussian_from_covariance(std::move(mean), std::move(covariance)));
    });
    module.def("gaussian_marginal", [](const nb::dict& p, const std::vector<std::uint32_t>& columns) {
        return gaussian_dict(marginal(gaussian_of(p), columns));
    });
    module.def("gaussian_conditional",
               [](const nb::dict& p, const std::vector<std::uint32_t>& columns, const std::vector<double>& values) {
                   return gaussian_dict(conditional(gaussian_of(p), columns, values));
               });
    module.def("gaussian_affine", &gaussian_affine);
}

void bind_statistic(nb::module_& module) {
    nb::class_<FamilyStatistic>(module, "FamilyStatistic")
        .def_prop_ro("family", [](const FamilyStatistic& s) { return std::string(s.family()); })
        .def_prop_ro("shape", [](const FamilyStatistic& s) { return dict_of(s.shape()); })
        .def_prop_ro("sums", [](const FamilyStatistic& s) { return dict_of(s.sums()); })
        .def_prop_ro("weight", &FamilyStatistic::weight)
        .def("equals", [](const FamilyStatistic& s, const FamilyStatistic& other) { return s == other; })
        .def("merged",
             [](const FamilyStatistic& s, const FamilyStatistic& more) {
                 return changed(s, [&](FamilyStatistic& copy) { return copy.merge(more); });
             })
        .def("without",
             [](const FamilyStatistic& s, const FamilyStatistic& rows) {
                 return changed(s, [&](FamilyStatistic& copy) { return copy.remove(rows); });
             })
        .def("scaled",
             [](const FamilyStatistic& s, double factor) {
                 return changed(s, [&](FamilyStatistic& copy) { return copy.scale(factor); });
             })
        .def("recoded",
             [](const FamilyStatistic& s, std::vector<std::uint32_t> to, std::uint32_t count) {
                 const CodeMap map{std::move(to), count};
                 return changed(s, [&](FamilyStatistic& copy) { return copy.recode(map); });
             })
        .def("to_bytes", &statistic_bytes)
        .def_static("from_bytes", &statistic_from);
}

Array<double> sample_family(const Family& family, const nb::dict& parameter, std::size_t count, std::uint64_t seed) {
    Rng rng(seed, "family");
    return to_array(family.held->sample(record_from(parameter), count, rng).value());
}

// What conjugate families answer.
void bind_priors(nb::class_<Family>& family) {
    family.def("default_prior", [](const Family& f) { return dict_of(f.held->default_prior().value()); })
        .def("parse_prior",
             [](const Family& f, const std::string& text) { return dict_of(f.held->parse_prior(text).value()); })
        .def("posterior",
             [](const Family& f, const nb::dict& prior, const FamilyStatistic& rows) {
                 return dict_of(f.held->posterior(record_from(prior), rows).value());
             })
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
        .def("log_evidence", [](const Family& f, const nb::dict& prior, const FamilyStatistic& rows) {
            return f.held->log_evidence(record_from(prior), rows).value();
        });
}

// What is asked of a family at a parameter.
void bind_parameters(nb::class_<Family>& family) {
    family
        .def("log_likelihood",
             [](const Family& f, const nb::dict& p, const FamilyStatistic& rows) {
                 return f.held->log_likelihood(record_from(p), rows).value();
             })
        .def("mean_features",
             [](const Family& f, const nb::dict& p) { return to_array(f.held->mean_features(record_from(p)).value()); })
        .def("feature_covariance",
             [](const Family& f, const nb::dict& p) {
                 return to_array(f.held->feature_covariance(record_from(p)).value());
             })
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
        .def("dispersed",
             [](const Family& f, const nb::dict& p, double scale, nb::handle x) {
                 auto form = f.held->dispersed(record_from(p), scale, Buffer(x).doubles("x")).value();
                 return nb::make_tuple(to_array(std::move(form.mean)), to_array(std::move(form.variance)),
                                       to_array(std::move(form.weights)), form.offset,
                                       to_array(std::move(form.log_density)));
             })
        .def("sample", &sample_family);
}

}  // namespace

void bind_families(nb::module_& module) {
    bind_statistic(module);
    bind_gaussian_maps(module);
    nb::class_<Family> family(module, "Family");
    family
        .def_static("make", [](const std::string& name,
                               const nb::dict& shape) { return Family{make_family(name, record_from(shape)).value()}; })
        .def_prop_ro("name", [](const Family& f) { return std::string(f.held->name()); })
        .def_prop_ro("support", [](const Family& f) { return std::string(f.held->support()); })
        .def_prop_ro("prior_name", [](const Family& f) { return std::string(f.held->prior_name()); })
        .def_prop_ro("shape", [](const Family& f) { return dict_of(f.held->shape()); })
        .def_prop_ro("value_size", [](const Family& f) { return f.held->value_size(); })
        .def_prop_ro("is_joint", [](const Family& f) { return f.held->is_joint(); })
        .def("observe", &observe_family, nb::arg("x"), nb::arg("weights").none())
        .def("fit", &fit_family, nb::arg("rows"), nb::arg("estimate"), nb::arg("prior").none())
        .def("from_natural",
             [](const Family& f, const std::vector<double>& natural) {
                 return dict_of(f.held->from_natural(natural).value());
             })
        .def("credible_intervals", &credible_of)
        .def("predictive", &predictive_of);
    bind_parameters(family);
    bind_priors(family);
    module.def("family_names", [] {
        std::vector<std::string> names;
        for (const auto each : family_names()) names.emplace_back(each);
        return names;
    });
}

}  // namespace suffice::python
