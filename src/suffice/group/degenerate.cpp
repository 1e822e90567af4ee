// Looks for components without a scatter of full rank.
#include "suffice/group/degenerate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/estimate/gaussians.hpp"
#include "suffice/group/component_shape.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/math/eigen.hpp"
#include "suffice/part/covariance_part.hpp"
#include "suffice/part/family_part.hpp"

namespace suffice {
namespace {

// Of the variance of all rows in the same direction: what is below has shrunk onto the floor.
constexpr double on_the_floor = 1e-8;

using Flags = std::vector<bool>;

// Within and between components, of all rows.
std::vector<double> whole_covariance(const GaussianClasses& parameters, std::span<const double> weight) {
    const std::size_t d = parameters.dimension;
    std::vector<double> mean(d), all(d * d);
    const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
    for (std::size_t c = 0; c < weight.size(); ++c)
        for (std::size_t i = 0; i < d; ++i) mean[i] += weight[c] / total * parameters.mean[c][i];
    for (std::size_t c = 0; c < weight.size(); ++c) {
        const auto own = parameters.covariance(parameters.group[c]);
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < d; ++j)
                all[i * d + j] +=
                    weight[c] / total *
                    (own[i * d + j] + (parameters.mean[c][i] - mean[i]) * (parameters.mean[c][j] - mean[j]));
    }
    return all;
}

// The least variance of a group, in units of the variance of all rows in that direction: the least eigenvalue of
// L^-1 S L^-T.
double least_share(std::span<const double> inverse_factor, std::span<const double> covariance, std::size_t d) {
    std::vector<double> half(d * d), turned(d * d), values(d);
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j)
            half[i * d + j] =
                std::inner_product(&inverse_factor[i * d], &inverse_factor[i * d] + i + 1, &covariance[j * d], 0.0);
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            turned[i * d + j] = std::inner_product(&half[i * d], &half[i * d] + j + 1, &inverse_factor[j * d], 0.0);
    return symmetric_eigen(turned, d, values) ? values[0] : 0;
}

void look_at(const EstimatedGaussians& estimated, std::span<const double> weight, bool needs_rank, Flags& flags) {
    const GaussianClasses& parameters = estimated.parameters;
    const std::size_t d = parameters.dimension;
    auto whole = whole_covariance(parameters, weight);
    std::vector<double> inverse_factor(d * d);
    const bool regular = factorize(whole, d);
    if (regular) inverse_lower(whole, d, inverse_factor);
    for (std::size_t c = 0; c < weight.size(); ++c) {
        const std::size_t g = parameters.group[c];
        bool flat = estimated.rank.size() > g && estimated.rank[g] < d;
        if (needs_rank && weight[c] < static_cast<double>(d + 1) - 1e-6) flat = true;
        if (regular && !flat) flat = least_share(inverse_factor, parameters.covariance(g), d) < on_the_floor;
        if (flat) flags[c] = true;
    }
}

// Columns that are independent within a component.
void look_at(const FamilyPart<Gaussian>& part, const Settings& settings, const Schema& schema, Flags& flags) {
    GaussianNames names{schema.classes, {}};
    std::vector<std::vector<Gaussian::Statistic>> moments(part.by_class.size());
    Settings columnwise = settings;
    if (columnwise.covariance == Covariance::full) columnwise.covariance = Covariance::diagonal;
    std::vector<double> whole;
    for (std::size_t k = 0; k < part.columns.size(); ++k) {
        const auto all = part.whole(k);
        if (!(all.weight() > 0) || !(all.scatter > 0)) continue;  // constant in all rows: it tells nothing
        whole.push_back(all.scatter / all.weight());
        names.columns.push_back(schema.columns[part.columns[k]].name);
        for (std::size_t c = 0; c < moments.size(); ++c) moments[c].push_back(part.by_class[c][k]);
    }
    if (whole.empty()) return;
    const auto estimated = estimate_gaussian_columns(moments, columnwise, names);
    if (!estimated) return;
    for (std::size_t c = 0; c < moments.size(); ++c) {
        const auto& variance = estimated->parameters.shape[estimated->parameters.group[c]];
        for (std::size_t k = 0; k < whole.size(); ++k)
            if (variance[k] < on_the_floor * whole[k]) flags[c] = true;
    }
}

}  // namespace

bool is_mixture(const ModelState& state) { return state.model == "gaussian_mixture" || state.model == "mixture"; }

std::vector<std::size_t> degenerate_components(const Classifier& model) {
    const ModelState& state = model.state();
    std::vector<std::size_t> found;
    if (!state.settings.by_likelihood()) return found;
    Flags flags(model.class_count());
    for (const Part& part : state.statistic.parts) {
        if (const auto* joint = part.as<CovariancePart>()) {
            const auto estimated = gaussians_of(*joint, state.settings, state.statistic.schema);
            const bool needs_rank = needs_full_rank(shape_named(state.settings));
            if (estimated) look_at(*estimated, state.statistic.class_weight, needs_rank, flags);
        } else if (const auto* columns = part.as<FamilyPart<Gaussian>>()) {
            look_at(*columns, state.settings, state.statistic.schema, flags);
        }
    }
    for (std::size_t c = 0; c < flags.size(); ++c)
        if (flags[c]) found.push_back(c);
    return found;
}

Note degenerate_note(const Classifier& model, const std::vector<std::size_t>& components) {
    std::string list;
    for (const std::size_t c : components) {
        const auto rows = static_cast<long long>(std::llround(model.class_weight()[c]));
        list += (list.empty() ? "" : ", ") + model.schema().classes[c] + " (" + std::to_string(rows) +
                (rows == 1 ? " row)" : " rows)");
    }
    return Note((components.size() == 1 ? "component " : "components ") + list +
                    (components.size() == 1 ? " is degenerate: its" : " are degenerate: their") +
                    " scatter is singular or rests on the floor of variances, so the likelihood and BIC measure that "
                    "floor; a prior cures it",
                {{"estimate", "map"}});
}

std::vector<Note> notes_on(const Predictor& model) {
    const auto* mixture = dynamic_cast<const Classifier*>(&model);
    if (mixture == nullptr || !is_mixture(mixture->state())) return model.notes();
    const auto components = degenerate_components(*mixture);
    if (components.empty()) return model.notes();
    return {degenerate_note(*mixture, components)};
}

}  // namespace suffice
