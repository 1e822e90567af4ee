// Compares families by BIC.
#include "suffice/flow/better_family.hpp"

#include <cmath>

#include "suffice/family/handle.hpp"
#include "suffice/part/auto_part.hpp"

namespace suffice {
namespace {

// Of one family fitted to each class by itself; empty where it does not take the values.
std::optional<double> bic_of(std::string_view name, const std::vector<std::vector<double>>& values) {
    const auto family = make_family(name);
    if (!family) return std::nullopt;
    double likelihood = 0, parameters = 0, rows = 0;
    for (const auto& own : values) {
        if (own.empty()) continue;
        const auto parameter = (*family)->fit(own, {}, FamilyEstimate::likelihood, nullptr);
        if (!parameter) return std::nullopt;
        const auto gained = (*family)->log_likelihood(*parameter, own, {});
        if (!gained || !std::isfinite(*gained)) return std::nullopt;
        likelihood += *gained;
        parameters += static_cast<double>((*family)->parameter_count());
        rows += static_cast<double>(own.size());
    }
    return -2 * likelihood + parameters * std::log(std::max(rows, 1.0));
}

}  // namespace

std::optional<BetterFamily> better_family(const Schema& schema, std::size_t column, const LabeledBlock& rows,
                                          const std::string& family, const std::vector<std::vector<double>>& values) {
    AutoPart part(schema, {static_cast<std::uint32_t>(column)});
    Workspace workspace;
    Membership membership;
    membership.class_count = schema.classes.size();
    membership.code = rows.label;
    part.observe(rows.rows, membership, workspace);
    const auto chosen = part.choose(Settings{}, schema);
    if (!chosen) return std::nullopt;
    const std::string name(part.candidates[chosen->front().candidate].name());
    if (name == family) return std::nullopt;
    const auto mine = bic_of(family, values), best = bic_of(name, values);
    if (!mine || !best || *mine - *best < 10) return std::nullopt;
    return BetterFamily{name, *mine - *best};
}

}  // namespace suffice
