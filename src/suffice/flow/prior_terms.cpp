// What a prior comes to by itself.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "suffice/family/handle.hpp"
#include "suffice/family/parameter_form.hpp"
#include "suffice/flow/family_terms.hpp"
#include "suffice/kernel/linear_algebra.hpp"

namespace suffice {
namespace {

constexpr double told_mass = 0.95;
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> priors{
    {{"dirichlet", "categorical"},
     {"normal", "gaussian_known_variance"},
     {"normal_gamma", "gaussian"},
     {"wishart", "gaussian_vector_known_mean"},
     {"normal_wishart", "gaussian_vector"}}};

// How many levels or columns it is about, by what is written in brackets, or (levels) one after the other.
std::size_t size_of_prior(const PriorText& term) {
    if (term.name == "dirichlet")
        return term.arguments.size() == 1 ? term.arguments[0].values.size() : term.arguments.size();
    std::size_t size = 1;
    for (const PriorArgument& each : term.arguments) {
        if (!each.is_list) continue;
        const bool square = each.name == "scatter" || each.name == "covariance" || term.name == "wishart";
        const auto count = static_cast<double>(each.values.size());
        size = std::max(size, static_cast<std::size_t>(square ? std::round(std::sqrt(count)) : count));
        if (each.name.empty()) break;  // in their order the mean comes first
    }
    return size;
}

// Mean and mode are those of (mean, precision), so it is the precision that they are told of.
void add_place(Calculation& told, const std::string& which, const Result<Record>& parameter) {
    if (!parameter) return;  // such as a mode at the edge
    for (const auto& [name, value] : parameter->entries) {
        if (name == "variance") {
            told.number(which + " of precision", 1 / std::get<double>(value));
            continue;
        }
        std::vector<double> factor;
        if (name == "factor") factor = std::get<std::vector<double>>(value);
        const auto side = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(factor.size()))));
        if (side > 0 && kernel::invert_cholesky(factor, side)) {
            told.matrix(which + " of precision", std::move(factor), side);
            continue;
        }
        Calculation one;
        one.record(as_told({{{name, value}}}));
        one.entries[0].name.insert(0, which + " of ");
        told.entries.push_back(std::move(one.entries[0]));
    }
}

}  // namespace

std::string_view family_of_prior_term(std::string_view name) {
    const auto found = std::ranges::find(priors, name, [](const auto& each) { return each.first; });
    return found == priors.end() ? std::string_view() : found->second;
}

std::vector<std::string_view> prior_terms() {
    std::vector<std::string_view> names;
    for (const auto& [name, family] : priors) names.push_back(name);
    return names;
}

Result<Calculation> calculate_prior(const PriorText& term, const std::string& text) {
    const std::string_view name = family_of_prior_term(term.name);
    const std::size_t size = size_of_prior(term);
    const Record shape{{{"mean", std::vector<double>(size)}}};
    const auto family = term.name == "wishart" ? make_family(name, shape) : make_sized_family(name, size);
    if (!family) return family.error();
    const auto prior = (*family)->parse_prior(text);
    if (!prior) return prior.error();
    Calculation told;
    told.record(*prior);
    add_place(told, "mean", (*family)->prior_mean(*prior));
    add_place(told, "mode", (*family)->prior_mode(*prior));
    const auto intervals = (*family)->credible_intervals(*prior, told_mass);
    if (!intervals) return told;
    for (const NamedInterval& each : *intervals)
        told.list("credible interval of " + each.quantity + (each.place ? " " + std::to_string(*each.place + 1) : ""),
                  {each.interval.low, each.interval.high});
    return told;
}

}  // namespace suffice
