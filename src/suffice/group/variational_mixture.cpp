// Steps of the variational mixture from the moments that one pass gathers.
#include "suffice/group/variational_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/base/random.hpp"
#include "suffice/group/k_means.hpp"
#include "suffice/group/k_means_rows.hpp"
#include "suffice/group/step_limit_note.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/math/special.hpp"

namespace suffice {
namespace {

// What the settings leave open, from the rows.
struct Priors {
    double concentration = 0, mean_precision = 1, degrees = 0;
    std::vector<double> mean, covariance;
};

std::size_t cells_of(ComponentShape shape, std::size_t d) {
    return shape == ComponentShape::spherical ? 1 : shape == ComponentShape::diagonal ? d : d * d;
}

Result<Priors> priors_of(GaussianRows& rows, const VariationalSettings& settings, const Context& context) {
    const auto all = rows.all(context);
    if (!all) return all.error();
    Priors priors;
    priors.concentration = settings.concentration.value_or(1 / static_cast<double>(settings.components));
    priors.mean_precision = settings.mean_precision;
    priors.degrees = settings.degrees.value_or(static_cast<double>(rows.column_count()));
    priors.mean = settings.mean.value_or(all->mean.values);
    priors.covariance = all->covariance;
    for (double& v : priors.covariance) v *= all->total_weight / (all->total_weight - 1);
    if (settings.covariance) priors.covariance = *settings.covariance;
    return priors;
}

void estimate_weights(VariationalMixture& model, const Priors& priors, const std::vector<double>& seen,
                      WeightPrior kind) {
    const std::size_t k = seen.size();
    model.concentration.resize(k);
    model.remainder.clear();
    model.weight.assign(k, 0.0);
    if (kind == WeightPrior::dirichlet) {
        for (std::size_t c = 0; c < k; ++c) model.concentration[c] = priors.concentration + seen[c];
        const double all = std::accumulate(model.concentration.begin(), model.concentration.end(), 0.0);
        for (std::size_t c = 0; c < k; ++c) model.weight[c] = model.concentration[c] / all;
        return;
    }
    model.remainder.resize(k);
    double later = 0, total = 0, rest = 1;
    for (std::size_t c = k; c-- > 0; later += seen[c]) {
        model.concentration[c] = 1 + seen[c];
        model.remainder[c] = priors.concentration + later;
    }
    for (std::size_t c = 0; c < k; ++c) {
        const double both = model.concentration[c] + model.remainder[c];
        model.weight[c] = rest * model.concentration[c] / both;
        rest *= model.remainder[c] / both;
        total += model.weight[c];
    }
    for (double& w : model.weight) w /= total;
}

// The Wishart's scale over its degrees, so that `covariance` is one. Bishop (10.60) to (10.63).
void estimate_components(VariationalMixture& model, const Priors& priors, const ComponentMoments& seen) {
    const std::size_t k = seen.weight.size(), d = seen.mean.column_count, cells = cells_of(model.shape, d);
    const bool tied = model.shape == ComponentShape::tied, square = tied || model.shape == ComponentShape::full;
    const auto count = static_cast<double>(k);
    model.mean = Matrix(k, d);
    model.mean_precision.resize(k);
    model.degrees.assign(tied ? 1 : k, 0.0);
    model.covariance.assign((tied ? 1 : k) * cells, 0.0);
    const double all = std::accumulate(seen.weight.begin(), seen.weight.end(), 0.0);
    if (tied) {
        model.degrees[0] = priors.degrees + all / count;
        for (std::size_t at = 0; at < cells; ++at)
            model.covariance[at] = priors.covariance[at] + seen.covariance[at] * all / count;
    }
    for (std::size_t c = 0; c < k; ++c) {
        const double n = seen.weight[c], precision = priors.mean_precision + n;
        model.mean_precision[c] = precision;
        for (std::size_t j = 0; j < d; ++j)
            model.mean(c, j) = (priors.mean_precision * priors.mean[j] + n * seen.mean(c, j)) / precision;
        const double pull = n * priors.mean_precision / precision / (tied ? count : 1.0);
        const auto way = [&](std::size_t j) { return seen.mean(c, j) - priors.mean[j]; };
        double* into = model.covariance.data() + (tied ? 0 : c * cells);
        if (!tied) {
            model.degrees[c] = priors.degrees + n;
            for (std::size_t at = 0; at < cells; ++at)
                into[at] = priors.covariance[at] + n * seen.covariance[c * cells + at];
        }
        for (std::size_t i = 0; i < d; ++i) {
            if (model.shape == ComponentShape::spherical) into[0] += pull * way(i) * way(i) / static_cast<double>(d);
            if (model.shape == ComponentShape::diagonal) into[i] += pull * way(i) * way(i);
            for (std::size_t j = 0; square && j < d; ++j) into[i * d + j] += pull * way(i) * way(j);
        }
    }
    for (std::size_t at = 0; at < model.covariance.size(); ++at) model.covariance[at] /= model.degrees[at / cells];
}

void add_variance(ComponentMoments& seen, ComponentShape shape, double added) {
    const std::size_t d = seen.mean.column_count;
    const bool square = shape == ComponentShape::full || shape == ComponentShape::tied;
    for (std::size_t at = 0; at < seen.covariance.size(); ++at)
        if (!square || at % (d * d) % (d + 1) == 0) seen.covariance[at] += added;
}

double sum_of_log_gammas(double degrees, std::size_t d) {
    double sum = 0;
    for (std::size_t i = 0; i < d; ++i) sum += log_gamma(0.5 * (degrees - static_cast<double>(i)));
    return sum;
}

// The evidence lower bound without its constants.
double bound_of(const VariationalMixture& model, const ScoredComponents& scored, double negative_entropy) {
    const std::size_t k = model.weight.size(), d = model.mean.column_count;
    const auto dimension = static_cast<double>(d);
    double wishart = 0, weights = 0, means = 0;
    for (std::size_t g = 0; g < model.degrees.size(); ++g) {
        const double nu = model.degrees[g];
        const double log_factor = -0.5 * scored.gaussians.log_determinant(g) - 0.5 * dimension * std::log(nu);
        wishart -= nu * log_factor + nu * dimension * 0.5 * std::log(2.0) + sum_of_log_gammas(nu, d);
    }
    if (model.shape == ComponentShape::tied) wishart *= static_cast<double>(k);
    if (model.remainder.empty()) {
        weights = log_gamma(std::accumulate(model.concentration.begin(), model.concentration.end(), 0.0));
        for (const double a : model.concentration) weights -= log_gamma(a);
    } else {
        for (std::size_t c = 0; c < k; ++c) weights -= log_beta(model.concentration[c], model.remainder[c]);
    }
    for (const double precision : model.mean_precision) means += std::log(precision);
    return -negative_entropy - wishart - weights - 0.5 * dimension * means;
}

GroupStep step_of(const VariationalMixture& model) {
    const std::size_t k = model.weight.size(), d = model.mean.column_count, cells = cells_of(model.shape, d);
    std::vector<std::vector<double>> covariance;
    for (std::size_t c = 0; c < k; ++c) {
        const auto* first = model.covariance.data() + (model.shape == ComponentShape::tied ? 0 : c * cells);
        covariance.emplace_back(first, first + cells);
        if (model.shape == ComponentShape::spherical) covariance.back().assign(d, *first);
    }
    return group_step(model.weight, model.mean, covariance);
}

// From the moments that a start gives the components.
Result<VariationalMixture> take_steps(GaussianRows& passes, ComponentMoments seen, const VariationalSettings& settings,
                                      const Context& context) {
    const auto priors = priors_of(passes, settings, context);
    if (!priors) return priors.error();
    VariationalMixture model;
    model.shape = settings.shape;
    model.total_weight = seen.total_weight;
    const auto update = [&] {
        add_variance(seen, settings.shape, settings.added_variance);
        estimate_weights(model, *priors, seen.weight, settings.weights);
        estimate_components(model, *priors, seen);
        return model.scored();
    };
    auto scored = update();
    double change = std::numeric_limits<double>::infinity();
    while (scored && model.path.size() < settings.step_limit && !model.settled) {
        auto gathered = passes.step(*scored, Assignment::soft, true, context);
        if (!gathered) return gathered.error();
        seen = std::move(*gathered);
        scored = update();
        if (!scored) break;
        const double before = model.path.empty() ? -std::numeric_limits<double>::infinity() : model.path.back();
        model.path.push_back(bound_of(model, *scored, seen.negative_entropy));
        if (settings.follow) model.followed.push_back(step_of(model));
        change = model.path.back() - before;
        model.settled = std::abs(change) < settings.tolerance;
    }
    if (!scored) return scored.error();
    if (!model.settled)
        model.notes.push_back(
            step_limit_note("the variational mixture", settings.step_limit, "its bound still rose", change));
    return model;
}

}  // namespace

Result<void> VariationalSettings::check(std::size_t column_count) const {
    const auto usage = [](const char* sentence) { return Error(ErrorKind::usage, sentence); };
    const auto positive = [](double value) { return value > 0 && std::isfinite(value); };
    if (components == 0) return usage("the number of components must be at least 1");
    if (step_limit == 0) return usage("the limit of steps must be at least 1");
    if (!(tolerance >= 0)) return usage("the tolerance must be zero or a positive number");
    if (concentration && !positive(*concentration)) return usage("the concentration of the weights must be positive");
    if (!positive(mean_precision)) return usage("the precision of the mean must be positive");
    if (degrees && !(*degrees > static_cast<double>(column_count) - 1))
        return usage("the degrees of freedom must be more than the number of columns less one");
    if (mean && mean->size() != column_count) return usage("the prior mean needs a value for each column");
    if (covariance && covariance->size() != cells_of(shape, column_count))
        return usage("the prior covariance has not the size of its shape");
    return {};
}

Result<ScoredComponents> VariationalMixture::scored() const {
    const std::size_t k = weight.size(), d = mean.column_count, cells = cells_of(shape, d);
    const bool tied = shape == ComponentShape::tied, square = tied || shape == ComponentShape::full;
    ScoredComponents out;
    out.gaussians.dimension = d;
    out.gaussians.diagonal = !square;
    for (std::size_t g = 0; g < degrees.size(); ++g) {
        const auto first = covariance.begin() + static_cast<std::ptrdiff_t>(g * cells);
        std::vector<double> own(first, first + static_cast<std::ptrdiff_t>(cells));
        if (shape == ComponentShape::spherical) own.assign(d, own[0]);
        if (square ? !factorize(own, d) : std::ranges::any_of(own, [](double v) { return !(v > 0); }))
            return Error(ErrorKind::singular, "the covariance of a component is not positive definite");
        out.gaussians.shape.push_back(std::move(own));
    }
    const double all = std::accumulate(concentration.begin(), concentration.end(), 0.0);
    double later = 0;  // sum of E log of what the earlier sticks left
    for (std::size_t c = 0; c < k; ++c) {
        out.gaussians.mean.emplace_back(mean.row(c).begin(), mean.row(c).end());
        out.gaussians.group.push_back(static_cast<std::uint32_t>(tied ? 0 : c));
        const double nu = degrees[tied ? 0 : c], dimension = static_cast<double>(d);
        double log_precision = dimension * std::log(2.0) - dimension * std::log(nu);
        for (std::size_t i = 0; i < d; ++i) log_precision += digamma(0.5 * (nu - static_cast<double>(i)));
        double log_weight = digamma(concentration[c]) - digamma(all);
        if (!remainder.empty()) {
            const double both = digamma(concentration[c] + remainder[c]);
            log_weight = digamma(concentration[c]) - both + later;
            later += digamma(remainder[c]) - both;
        }
        out.offset.push_back(log_weight + 0.5 * (log_precision - dimension / mean_precision[c]));
    }
    return out;
}

Result<VariationalMixture> fit_variational_mixture(const LabeledBlock& rows, std::span<const std::int32_t> labels,
                                                   const VariationalSettings& settings, const Context& context) {
    if (auto checked = settings.check(column_count(rows.rows)); !checked) return checked.error();
    if (rows.size() < std::max<std::size_t>(settings.components, 2))
        return Error("there are " + std::to_string(rows.size()) + " rows, too few for " +
                     std::to_string(settings.components) + " components");
    GaussianRows passes(rows, settings.shape);
    auto start = passes.of_labels(labels, settings.components, context);
    if (!start) return start.error();
    return take_steps(passes, std::move(*start), settings, context);
}

Result<VariationalMixture> fit_variational_mixture(Stream& stream, const Schema& schema,
                                                   const VariationalSettings& settings, const Context& context) {
    const std::size_t d = schema.columns.size();
    if (auto checked = settings.check(d); !checked) return checked.error();
    GaussianRows passes(stream, d, settings.shape);
    const auto finite = passes.look(context);
    if (!finite) return finite.error();
    if (!*finite) return Error("a variational mixture takes finite numbers, and no missing ones");
    KMeansSettings around;
    around.centre_count = settings.components;
    const auto near = fit_k_means(stream, schema, around, context);
    if (!near) return near.error();
    if (near->centres.row_count < settings.components)
        return Error("there are only " + std::to_string(near->centres.row_count) + " distinct rows, too few for " +
                     std::to_string(settings.components) + " components");
    // Equal spheres around the centres: the best component of a row is that of the nearest centre.
    ScoredComponents spheres;
    spheres.gaussians.dimension = d;
    spheres.gaussians.diagonal = true;
    spheres.gaussians.shape = {std::vector<double>(d, 1.0)};
    spheres.offset.assign(settings.components, 0.0);
    for (std::size_t c = 0; c < settings.components; ++c) {
        spheres.gaussians.mean.emplace_back(near->centres.row(c).begin(), near->centres.row(c).end());
        spheres.gaussians.group.push_back(0);
    }
    auto start = passes.step(spheres, Assignment::hard, false, context);
    if (!start) return start.error();
    return take_steps(passes, std::move(*start), settings, context);
}

Result<VariationalMixture> fit_variational_mixture(const LabeledBlock& rows, const VariationalSettings& settings,
                                                   const Context& context) {
    if (settings.components == 0) return settings.check(column_count(rows.rows)).error();
    auto near = KMeansRows::from(rows, context);
    if (!near) return near.error();
    Rng rng(context.seed, "variational");
    std::vector<double> uniform(3 * (settings.components - 1));
    for (double& u : uniform) u = rng.uniform();
    const auto chosen = near->spread(rng.below(rows.size()), settings.components, uniform, context);
    if (!chosen) return chosen.error();
    if (chosen->size() < settings.components)
        return Error("there are only " + std::to_string(chosen->size()) + " distinct rows, too few for " +
                     std::to_string(settings.components) + " components");
    Matrix start(chosen->size(), column_count(rows.rows));
    for (std::size_t c = 0; c < chosen->size(); ++c)
        for (std::size_t j = 0; j < start.column_count; ++j) start(c, j) = value_at(rows.rows, (*chosen)[c], j);
    const auto run = near->run(start, {}, context);
    if (!run) return run.error();
    return fit_variational_mixture(rows, run->nearest, settings, context);
}

}  // namespace suffice
