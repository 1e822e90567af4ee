// One family asked everything: its parameter by each estimate, its conjugate prior and posterior, densities.
#include <array>
#include <cmath>

#include "session.hpp"

#include "suffice/family/handle.hpp"
#include "suffice/family/parameter_form.hpp"

namespace suffice::page {
namespace {

// As people are shown parameters and give them: probabilities of levels, covariances.
Json record_json(const Record& record) {
    Json made = Json::object();
    const Record told = as_told(record);
    for (const auto& [name, value] : told.entries) {
        if (const auto* one = std::get_if<double>(&value))
            made[name] = *one;
        else
            made[name] = std::get<std::vector<double>>(value);
    }
    return made;
}

Record record_of(const Json& value) {
    Record told;
    for (const auto& [name, each] : value.items()) {
        if (each.is_array())
            told.entries.emplace_back(name, each.get<std::vector<double>>());
        else
            told.entries.emplace_back(name, each.get<double>());
    }
    return as_kept(told).value();
}

std::vector<double> numbers_of(const Json& request, const char* name) {
    return request.contains(name) ? request.at(name).get<std::vector<double>>() : std::vector<double>();
}

FamilyHandle family_of(const Json& request) {
    const std::string name = request.at("family");
    if (request.contains("size")) return make_sized_family(name, request.at("size")).value();
    return make_family(name).value();
}

// What cannot be had, such as a mode at the edge, is null.
template <class Answer>
Json or_null(const Result<Answer>& answer) {
    if (!answer) return nullptr;
    if constexpr (std::same_as<Answer, Record>)
        return record_json(*answer);
    else
        return *answer;
}

void add_prior(const AnyFamily& family, const FamilyStatistic& rows, const Json& request, Json& answer) {
    const std::string stated = request.value("prior", std::string());
    const Record prior = (stated.empty() ? family.default_prior() : family.parse_prior(stated)).value();
    const Record posterior = family.posterior(prior, rows).value();
    answer["prior"] = record_json(prior);
    answer["posterior"] = record_json(posterior);
    answer["map"] = or_null(family.prior_mode(posterior));
    answer["posterior_mean"] = or_null(family.prior_mean(posterior));
    answer["log_evidence"] = or_null(family.log_evidence(prior, rows));
    if (const auto intervals = family.credible_intervals(posterior, request.value("mass", 0.95)))
        for (const auto& each : *intervals)
            answer["intervals"].push_back(
                {{"quantity", each.quantity}, {"low", each.interval.low}, {"high", each.interval.high}});
    for (const auto& place : request.value("parameters", Json::array())) {
        const Record parameter = record_of(place);
        answer["prior_density"].push_back(std::exp(family.log_prior_density(prior, parameter).value()));
        answer["posterior_density"].push_back(std::exp(family.log_prior_density(posterior, parameter).value()));
    }
    if (const auto at = numbers_of(request, "at"); !at.empty())
        answer["log_predictive"] = or_null(family.log_predictive(posterior, at));
}

// {"family", "size", "values", "weights", "prior", "at", "parameter", "parameters"}: estimates from the values; under a
// prior where the family has one; log densities at `at`, of a stated parameter or of the likelihood's; densities of
// prior and posterior at `parameters`.
Json ask_family(Session&, const Json& request) {
    const FamilyHandle family = family_of(request);
    const auto rows = family->observe(numbers_of(request, "values"), numbers_of(request, "weights")).value();
    Json answer{{"family", family->name()},
                {"support", family->support()},
                {"prior_family", family->prior_name()},
                {"rows", rows.weight()},
                {"sums", record_json(rows.sums())},
                {"parameter_count", family->parameter_count()},
                {"likelihood", or_null(family->fit(rows))},
                {"unbiased", or_null(family->fit(rows, FamilyEstimate::unbiased))}};
    auto parameter = request.contains("parameter") ? Result(record_of(request.at("parameter"))) : family->fit(rows);
    if (parameter) {
        answer["mean"] = or_null(family->mean(*parameter));
        answer["variance"] = or_null(family->variance(*parameter));
        answer["log_likelihood"] = or_null(family->log_likelihood(*parameter, rows));
        if (const auto at = numbers_of(request, "at"); !at.empty())
            answer["log_density"] = family->log_density(*parameter, at).value();
    } else {
        answer["refused"] = parameter.error().sentence();
    }
    if (!family->prior_name().empty()) add_prior(*family, rows, request, answer);
    return answer;
}

Json draw_values(Session&, const Json& request) {
    Rng rng(request.value("seed", std::uint64_t{0}), "page");
    return {
        {"values", family_of(request)->sample(record_of(request.at("parameter")), request.at("count"), rng).value()}};
}

Json list_families(Session&, const Json&) {
    Json answer = Json::array();
    for (const std::string_view name : family_names()) {
        const auto family = make_family(name);
        if (family)
            answer.push_back({{"name", name},
                              {"support", (*family)->support()},
                              {"joint", (*family)->is_joint()},
                              {"prior", (*family)->prior_name()}});
    }
    return answer;
}

constexpr std::array<NamedCall, 3> offered{
    {{"family", ask_family}, {"draw_values", draw_values}, {"families", list_families}}};

}  // namespace

std::span<const NamedCall> calls() { return offered; }

}  // namespace suffice::page
