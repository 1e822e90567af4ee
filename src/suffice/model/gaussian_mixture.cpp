// Recipes of Gaussian components, and their parameters in and out of statistics.
#include "suffice/model/gaussian_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "suffice/estimate/gaussians.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/model/mixture_moments.hpp"
#include "suffice/part/covariance_part.hpp"
#include "suffice/part/family_part.hpp"

namespace suffice {
namespace {

bool by_column(ComponentShape shape) { return shape == ComponentShape::diagonal || shape == ComponentShape::spherical; }

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
    return fit_mixture(*recipe, stream, looked, settings.steps, context);
}

GaussianMixtureSettings with_added_variance(GaussianMixtureSettings settings, const Schema& schema,
                                            const LookedAt& looked) {
    if (!settings.added_variance) settings.added_variance = 1e-6 * Embedding(schema, looked).least_variance();
    return settings;
}

// What component c has seen: rows of this weight about this mean.
void set_moments(ModelStatistic& statistic, std::size_t c, double weight, std::span<const double> mean,
                 std::span<const double> covariance) {
    const std::size_t d = mean.size();
    Part& part = statistic.parts[0];
    statistic.class_weight[c] = weight;
    if (auto* joint = part.as<CovariancePart>()) {
        joint->complete.class_weight[c] = weight;
        std::ranges::copy(mean, joint->complete.mean.begin() + static_cast<std::ptrdiff_t>(c * d));
        auto& scatter = joint->complete.scatter;  // one for all components where there is no room for more
        const std::size_t first = scatter.size() == d * d ? 0 : c * d * d;
        for (std::size_t at = 0; at < d * d; ++at) scatter[first + at] += covariance[at] * weight;
    } else if (auto* columns = part.as<FamilyPart<Gaussian>>()) {
        for (std::size_t i = 0; i < d; ++i)
            columns->by_class[c][i] = {weight, mean[i], covariance[i * (d + 1)] * weight};
    }
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
    prior.degrees = static_cast<double>(by_column(shape) ? 2 * d + 5 : 3 * d + 4);
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
    const bool tied = settings.shape == ComponentShape::tied;
    recipe.model = by_column(settings.shape) ? "gaussian_nb" : tied ? "linear_discriminant" : "quadratic_discriminant";
    if (tied && !rows_have_holes) recipe.keep = Keep::pooled;
    recipe.settings.added_variance = settings.added_variance.value_or(0);
    if (by_column(settings.shape) && recipe.settings.added_variance > 0) recipe.settings.variance_floor = 0;
    if (settings.prior) {
        recipe.settings.estimate = Estimate::map;
        recipe.settings.gaussian_prior = *settings.prior;
        recipe.settings.gaussian_prior.vague = false;
        recipe.estimate_given = true;
    }
    auto state = mixture_recipe(std::move(recipe), schema, settings.components);
    if (!state) return state;
    if (settings.shape == ComponentShape::spherical) state->settings.covariance = Covariance::spherical;
    state->model = "gaussian_mixture";
    return state;
}

Result<MixtureFit> fit_gaussian_mixture(Stream& stream, const Schema& schema, const GaussianMixtureSettings& settings,
                                        const Context& context) {
    const auto looked = look_at_rows(stream, schema, {}, context);
    if (!looked) return looked.error();
    return fit_looked(stream, schema, *looked, with_added_variance(settings, schema, *looked), context);
}

Result<Classifier> gaussian_mixture_of(const Schema& schema, const GaussianComponents& components,
                                       const GaussianMixtureSettings& settings) {
    const std::size_t d = schema.columns.size();
    if (auto checked = check_components(components, settings, d); !checked) return checked.error();
    auto state = gaussian_mixture_recipe(schema, settings);
    if (!state) return state.error();
    const double added = state->settings.added_variance;  // comes on top of what the statistic says
    for (std::size_t c = 0; c < settings.components; ++c) {
        auto covariance = components.covariance[settings.shape == ComponentShape::tied ? 0 : c];
        for (std::size_t i = 0; i < d; ++i) covariance[i * (d + 1)] = std::max(covariance[i * (d + 1)] - added, 0.0);
        set_moments(state->statistic, c, components.weight[c], components.mean.row(c), covariance);
    }
    return Classifier::from(std::move(*state));
}

Result<Classifier> gaussian_mixture_of(const Schema& schema, const ComponentMoments& moments,
                                       const GaussianMixtureSettings& settings) {
    const std::size_t d = schema.columns.size(), k = settings.components;
    const bool tied = settings.shape == ComponentShape::tied, square = tied || settings.shape == ComponentShape::full;
    const std::size_t each = square ? d * d : settings.shape == ComponentShape::diagonal ? d : 1;
    if (moments.weight.size() != k || moments.mean.row_count != k || moments.mean.column_count != d ||
        moments.covariance.size() != (tied ? 1 : k) * each)
        return Error(ErrorKind::usage, "each component needs a weight, a mean and a covariance");
    auto state = gaussian_mixture_recipe(schema, settings);
    if (!state) return state.error();
    for (std::size_t c = 0; c < k; ++c) {
        const auto own = std::span(moments.covariance).subspan(tied ? 0 : c * each, each);
        std::vector<double> covariance(d * d);
        for (std::size_t i = 0; i < d; ++i) covariance[i * (d + 1)] = own[each == 1 ? 0 : i];
        if (square) covariance.assign(own.begin(), own.end());
        set_moments(state->statistic, c, moments.weight[c], moments.mean.row(c), covariance);
    }
    state->statistic.log_likelihood = moments.log_likelihood;
    return Classifier::from(std::move(*state));
}

Result<GaussianComponents> components_of(const Classifier& model) {
    const ModelState& state = model.state();
    const Schema& schema = state.statistic.schema;
    const auto refusal = Error(ErrorKind::usage, "the model is not a mixture of Gaussians");
    if (state.statistic.parts.size() != 1) return refusal;
    const Part& part = state.statistic.parts[0];
    Result<EstimatedGaussians> estimated = refusal;
    if (const auto* joint = part.as<CovariancePart>()) {
        estimated = gaussians_of(*joint, state.settings, schema);
    } else if (const auto* columns = part.as<FamilyPart<Gaussian>>()) {
        GaussianNames names{schema.classes, {}};
        for (const Column& column : schema.columns) names.columns.push_back(column.name);
        std::vector<std::vector<Gaussian::Statistic>> moments;
        for (const auto& row : columns->by_class) moments.emplace_back(row.begin(), row.end());
        Settings columnwise = state.settings;
        if (columnwise.covariance == Covariance::full) columnwise.covariance = Covariance::diagonal;
        estimated = estimate_gaussian_columns(moments, columnwise, names);
    }
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
    if (state.settings.covariance == Covariance::spherical) return ComponentShape::spherical;
    if (state.statistic.parts[0].as<CovariancePart>() == nullptr) return ComponentShape::diagonal;
    return state.settings.sharing == Sharing::all ? ComponentShape::tied : ComponentShape::full;
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
    GaussianMixtureSettings each = with_added_variance(settings, schema, *looked);
    for (const ComponentShape shape : shapes)
        for (const std::size_t count : components) {
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
            candidates.push_back({count, shape, tried->bic(), tried->log_likelihood, tried->model.parameter_count()});
            if (!best || tried->bic() < best->bic()) best = std::move(*tried);
        }
    if (best) return MixtureChoice{std::move(*best), std::move(candidates)};
    return failure ? *failure : Error(ErrorKind::usage, "there are no mixtures to choose from");
}

}  // namespace suffice
