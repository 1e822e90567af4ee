// Groups by k-means and by mixtures: fits that pass over the stream again and again.
#include "suffice/flow/cluster_finders.hpp"

#include <algorithm>
#include <numeric>

#include "suffice/model/k_means.hpp"

namespace suffice {
namespace {

Result<MixtureChoice> fit_any_mixture(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                      const Context& context) {
    MixtureSettings steps;
    steps.starts = options.starts;
    steps.hard = options.hard;
    if (options.step_limit > 0) steps.step_limit = options.step_limit;
    if (options.tolerance) steps.tolerance = *options.tolerance;
    if (options.model == "mixture") {
        if (options.least != options.most)
            return Error(ErrorKind::usage, "--k takes one number for a mixture of families");
        auto recipe = mixture_recipe(options.fit.recipe(), schema, options.most);
        if (!recipe) return recipe.error();
        auto fit = fit_mixture(*recipe, stream, steps, context);
        if (!fit) return fit.error();
        return MixtureChoice{std::move(*fit), {}};
    }
    GaussianMixtureSettings settings;
    settings.steps = steps;
    settings.default_prior = options.with_prior;
    std::vector<std::size_t> counts(options.most - options.least + 1);
    std::iota(counts.begin(), counts.end(), options.least);
    return choose_gaussian_mixture(stream, schema, counts, options.shapes, settings, context);
}

}  // namespace

Result<FoundGroups> find_means(const ClusterOptions& options, const Schema& schema, Stream& stream,
                               const Context& context) {
    if (options.posteriors) return Error(ErrorKind::usage, "k_means has no posteriors; --model gaussian_mixture has");
    if (options.least != options.most)
        return Error(ErrorKind::usage, "k_means has no likelihood to choose --k by; give one number");
    KMeansSettings settings;
    settings.centre_count = options.most;
    settings.starts = std::max<std::size_t>(options.starts, settings.starts);
    if (options.step_limit > 0) settings.step_limit = options.step_limit;
    if (options.tolerance) settings.tolerance = *options.tolerance;
    auto fit = fit_k_means(stream, schema, settings, context);
    if (!fit) return fit.error();
    FoundGroups found;
    found.told.groups = options.most;
    found.told.weight = fit->weight;
    found.told.objective = fit->inertia;
    found.told.objective_name = "inertia";
    found.told.steps = fit->steps;
    found.told.notes = fit->notes;
    found.assign = [model = std::move(*fit)](const LabeledBlock& block) -> Result<BlockGroups> {
        Context alone;
        alone.thread_count = 1;
        auto codes = model.predict(block, alone);
        if (!codes) return codes.error();
        return BlockGroups{std::move(*codes)};
    };
    return found;
}

Result<FoundGroups> find_components(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                    const Context& context) {
    auto chosen = fit_any_mixture(options, schema, stream, context);
    if (!chosen) return chosen.error();
    MixtureFit* fit = &chosen->best;
    FoundGroups found;
    Clustered& told = found.told;
    told.groups = fit->model.class_count();
    told.weight = fit->model.class_weight();
    told.objective = fit->log_likelihood;
    told.objective_name = "log-likelihood";
    told.has_likelihood = true;
    told.bic = fit->bic();
    told.aic = fit->aic();
    told.icl = fit->icl();
    told.steps = fit->steps;
    told.notes = fit->notes;
    told.candidates = std::move(chosen->candidates);
    found.assign = [model = std::move(fit->model),
                    shares = options.posteriors](const LabeledBlock& block) -> Result<BlockGroups> {
        BlockGroups groups{std::vector<std::int32_t>(block.size()), {}};
        ScoreSink sink;
        sink.best = groups.code.data();
        if (shares) {
            groups.share = Matrix(block.size(), model.class_count());
            sink.scores = groups.share.values.data();
            sink.stride = static_cast<std::ptrdiff_t>(model.class_count());
        }
        Context alone;
        alone.thread_count = 1;
        if (auto scored = model.score(block.rows, sink, alone, block.first_row); !scored) return scored.error();
        return groups;
    };
    return found;
}

}  // namespace suffice
