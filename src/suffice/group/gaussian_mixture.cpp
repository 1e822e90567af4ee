// Recipes of Gaussian components, and their parameters in and out of statistics.
#include "suffice/group/gaussian_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "suffice/estimate/covariance_structure.hpp"
#include "suffice/group/gaussian_steps.hpp"
#include "suffice/group/mixture_moments.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/part/covariance_part.hpp"

namespace suffice {
namespace {

bool by_column(ComponentShape plain) { return structure_of(plain).covariance != Covariance::full; }

Result<MixtureFit> fit_looked(Stream& stream, const Schema& schema, const LookedAt& looked,
                              GaussianMixtureSettings settings, const Context& context) {
    if (settings.default_prior) {
        const auto given =
            std::exchange(settings.prior, default_gaussian_prior(looked.sample, settings.components, settings.shape));
        if (given && given->mean_weight > 0) settings.prior->mean_weight = given->mean_weight;
        if (given && given->degrees > 0) settings.prior->degrees = given->degrees;
    }
    const auto recipe = gaussian_mixture_recipe(schema, settings, settings.learns_on || looked.sample.has_holes);
    if (!recipe) return recipe.error();
    if (!settings.labels.empty()) return fit_from_labels(*recipe, stream, settings.labels, settings.steps, context);
    return fit_mixture(*recipe, stream, looked, settings.steps, context);
}

Result<void> check_components(const GaussianComponents& given, const GaussianMixtureSettings& settings,
                              std::size_t columns) {
    const auto usage = [](const char* sentence) { return Error(ErrorKind::usage, sentence); };
    const std::size_t k = settings.components;
    if (given.weight.size() != k || given.mean.row_count != k || given.covariance.size() != k)
        return usage("each component needs a weight, a mean and a covariance");
    double total = 0;
    for (double w : given.weight) {
        if (!(w > 0)) return usage("the weights of components must be positive");
        total += w;
    }
    if (!(std::abs(total - 1) < 1e-6)) return usage("the weights of components must sum to 1");
    if (given.mean.column_count != columns) return usage("the mean of a component needs a value for each column");
    for (const auto& covariance : given.covariance) {
        if (covariance.size() != columns * columns)
            return usage("the covariance of a component needs a row and a column for each column");
        auto factor = covariance;
        if (!factorize(factor, columns)) return usage("the covariance of a component is not positive definite");
    }
    bool alike = k > 1;
    for (std::size_t c = 1; c < k; ++c)
        alike = alike && std::ranges::equal(given.mean.row(c), given.mean.row(0)) &&
                given.covariance[c] == given.covariance[0];
    if (alike)
        return usage(
            "all components are alike, so each row belongs to all of them alike, which EM never changes; "
            "move their means apart");
    return {};
}

// With one component structures differ only in whether it is a sphere, has the axes or neither.
bool fitted_as_one(const std::vector<MixtureCandidate>& candidates, ComponentShape shape, std::size_t dimension) {
    const auto kind = [&](ComponentShape each) {
        const ComponentShape plain = plain_shape(each, dimension);
        const bool sphere = structure_of(plain).covariance == Covariance::spherical;
        return dimension == 1 || sphere ? 0 : by_column(plain) ? 1 : 2;
    };
    return std::ranges::any_of(candidates, [&](const MixtureCandidate& each) {
        return each.components == 1 && kind(each.shape) == kind(shape);
    });
}

}  // namespace

GaussianPrior default_gaussian_prior(const RowSample& sample, std::size_t components, ComponentShape shape) {
    const std::size_t d = sample.width;
    GaussianPrior prior;
    prior.vague = false;
    prior.mean.assign(d, 0.0);
    prior.scatter.assign(d * d, 0.0);
    prior.mean_weight = 0.01;
    // columns + 2; the mode over covariances has 2 columns + 2 degrees more than that over precisions, over variances
    // of single columns columns + 3
    prior.degrees = static_cast<double>(by_column(plain_shape(shape, d)) ? 2 * d + 5 : 3 * d + 4);
    std::vector<double> seen(d), way(d);
    for (std::size_t row = 0; row < sample.size(); ++row)
        for (std::size_t j = 0; j < d; ++j) {
            const double x = sample.values[row * d + j];
            if (std::isnan(x)) continue;
            seen[j] += sample.row_weight[row];
            prior.mean[j] += (x - prior.mean[j]) * sample.row_weight[row] / std::max(seen[j], 1e-300);
        }
    double total = 0;
    for (std::size_t row = 0; row < sample.size(); ++row) {
        total += sample.row_weight[row];
        for (std::size_t j = 0; j < d; ++j) {
            const double x = sample.values[row * d + j];
            way[j] = std::isnan(x) ? 0 : x - prior.mean[j];
        }
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < d; ++j) prior.scatter[i * d + j] += sample.row_weight[row] * way[i] * way[j];
    }
    const double share = (total - 1) * std::pow(static_cast<double>(components), 2 / static_cast<double>(d));
    for (double& s : prior.scatter) s /= share;
    return prior;
}

Result<ModelState> gaussian_mixture_recipe(const Schema& schema, const GaussianMixtureSettings& settings,
                                           bool rows_have_holes) {
    for (const Column& column : schema.columns)
        if (column.kind == ColumnKind::category || column.kind == ColumnKind::text)
            return Error(ErrorKind::usage, "a Gaussian mixture takes numbers only; a mixture of families takes others")
                .in_column(column.name);
    if (schema.columns.empty()) return Error("a mixture needs at least one column");
    Recipe recipe;
    const ComponentShape shape = plain_shape(settings.shape, schema.columns.size());
    const bool tied = shape == ComponentShape::tied;
    recipe.model = by_column(shape) ? "gaussian_nb" : tied ? "linear_discriminant" : "quadratic_discriminant";
    if (tied && !rows_have_holes) recipe.parts.keep = Keep::pooled;
    recipe.settings.added_variance = settings.added_variance;
    recipe.settings.estimate = Estimate::likelihood;
    if (settings.prior) {
        recipe.settings.estimate = Estimate::map;
        recipe.settings.gaussian_prior = *settings.prior;
        recipe.settings.gaussian_prior.vague = false;
    }
    auto state = mixture_recipe(std::move(recipe), schema, settings.components);
    if (!state) return state;
    structure_of(shape).write_to(state->settings);
    state->model = "gaussian_mixture";
    return state;
}

Result<MixtureFit> fit_gaussian_mixture(Stream& stream, const Schema& schema, const GaussianMixtureSettings& settings,
                                        const Context& context) {
    const auto looked = look_at_rows(stream, schema, {}, context);
    if (!looked) return looked.error();
    return fit_looked(stream, schema, *looked, settings, context);
}

Result<Classifier> gaussian_mixture_of(const Schema& schema, const GaussianComponents& components,
                                       const GaussianMixtureSettings& settings) {
    const std::size_t d = schema.columns.size();
    if (auto checked = check_components(components, settings, d); !checked) return checked.error();
    auto state = gaussian_mixture_recipe(schema, settings);
    if (!state) return state.error();
    const double added = state->settings.added_variance;  // comes on top of what the statistic says
    ComponentMoments moments;
    moments.weight = components.weight;
    moments.mean = components.mean;
    const ComponentShape form = moments_of(shape_of(*state));
    const bool square = form == ComponentShape::full || form == ComponentShape::tied;
    for (std::size_t c = 0; c < (form == ComponentShape::tied ? 1 : settings.components); ++c) {
        auto covariance = components.covariance[c];
        double mean = 0;
        for (std::size_t i = 0; i < d; ++i) {
            double& variance = covariance[i * (d + 1)];
            variance = std::max(variance - added, 0.0);
            mean += variance / static_cast<double>(d);
            if (form == ComponentShape::diagonal) moments.covariance.push_back(variance);
        }
        if (form == ComponentShape::spherical) moments.covariance.push_back(mean);
        if (square) moments.covariance.insert(moments.covariance.end(), covariance.begin(), covariance.end());
    }
    return Classifier::from(state_of(moments, *state));
}

Result<Classifier> gaussian_mixture_of(const Schema& schema, const ComponentMoments& moments,
                                       const GaussianMixtureSettings& settings) {
    const std::size_t d = schema.columns.size(), k = settings.components;
    auto state = gaussian_mixture_recipe(schema, settings);
    if (!state) return state.error();
    const ComponentShape form = moments_of(shape_of(*state));
    const bool tied = form == ComponentShape::tied, square = tied || form == ComponentShape::full;
    const std::size_t each = square ? d * d : form == ComponentShape::diagonal ? d : 1;
    if (moments.weight.size() != k || moments.mean.row_count != k || moments.mean.column_count != d ||
        moments.covariance.size() != (tied ? 1 : k) * each)
        return Error(ErrorKind::usage, "each component needs a weight, a mean and a covariance");
    return Classifier::from(state_of(moments, *state));
}

Result<GaussianComponents> components_of(const Classifier& model) {
    const auto estimated = gaussians_of(model.state());
    if (!estimated) return estimated.error();
    GaussianComponents found;
    const GaussianClasses& parameters = estimated->parameters;
    found.mean = Matrix(model.class_count(), parameters.dimension);
    for (std::size_t c = 0; c < model.class_count(); ++c) {
        found.weight.push_back(std::exp(model.log_prior()[c]));
        std::ranges::copy(parameters.mean[c], found.mean.row(c).begin());
        found.covariance.push_back(parameters.covariance(parameters.group[c]));
    }
    return found;
}

ComponentShape shape_of(const ModelState& state) {
    Settings settings = state.settings;
    if (state.statistic.parts[0].as<CovariancePart>() == nullptr && settings.covariance == Covariance::full)
        settings.covariance = Covariance::diagonal;
    return shape_named(settings);
}

Result<MixtureChoice> choose_gaussian_mixture(Stream& stream, const Schema& schema,
                                              std::span<const std::size_t> components,
                                              std::span<const ComponentShape> shapes,
                                              const GaussianMixtureSettings& settings, const Context& context) {
    const auto looked = look_at_rows(stream, schema, {}, context);
    if (!looked) return looked.error();
    std::optional<MixtureFit> best;
    std::optional<Error> failure;
    std::vector<MixtureCandidate> candidates;
    std::size_t chosen = 0;
    GaussianMixtureSettings each = settings;
    if (std::ranges::find(shapes, ComponentShape::any) != shapes.end()) shapes = every_shape(schema.columns.size());
    for (const ComponentShape shape : shapes)
        for (const std::size_t count : components) {
            if (count == 1 && fitted_as_one(candidates, shape, schema.columns.size())) continue;
            each.components = count;
            each.shape = shape;
            auto tried = fit_looked(stream, schema, *looked, each, context);
            if (!tried) {
                failure = tried.error();
                if (failure->kind == ErrorKind::cancelled || failure->kind == ErrorKind::io) return *failure;
                constexpr double none = std::numeric_limits<double>::quiet_NaN();
                candidates.push_back({count, shape, none, none, 0});
                continue;
            }
            candidates.push_back({count, shape, tried->bic(), tried->log_likelihood, tried->model.parameter_count(),
                                  !tried->degenerate.empty()});
            // The likelihood of a degenerate component is as high as the floor is low, so its BIC says nothing.
            if (!best || std::pair(!tried->degenerate.empty(), tried->bic()) <
                             std::pair(!best->degenerate.empty(), best->bic())) {
                best = std::move(*tried);
                chosen = candidates.size() - 1;
            }
        }
    if (best) return MixtureChoice{std::move(*best), std::move(candidates), chosen};
    return failure ? *failure : Error(ErrorKind::usage, "there are no mixtures to choose from");
}

}  // namespace suffice
