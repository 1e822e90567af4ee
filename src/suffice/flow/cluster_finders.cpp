// Groups by k-means and by mixtures of every kind: fits that pass over the stream again and again.
#include "suffice/flow/cluster_finders.hpp"

#include <algorithm>
#include <numeric>

#include "suffice/group/centre_model.hpp"
#include "suffice/group/variational_mixture.hpp"
#include "suffice/read/paths.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

Result<MixtureChoice> fit_any_mixture(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                      const Context& context) {
    MixtureSettings steps;
    steps.starts = options.starts;
    steps.hard = options.hard;
    steps.follow = options.follow;
    if (options.step_limit > 0) steps.step_limit = options.step_limit;
    if (options.tolerance) steps.tolerance = *options.tolerance;
    if (options.model == "mixture") {
        if (options.least != options.most) return Error(ErrorKind::usage, "k is one number for a mixture of families");
        auto recipe = mixture_recipe(options.fit.recipe(), schema, options.most);
        if (!recipe) return recipe.error();
        auto fit = options.start.empty() ? fit_mixture(*recipe, stream, steps, context)
                                         : fit_from_labels(*recipe, stream, options.start, steps, context);
        if (!fit) return fit.error();
        return MixtureChoice{std::move(*fit), {}, 0};
    }
    GaussianMixtureSettings settings;
    settings.steps = steps;
    settings.default_prior = options.with_prior;
    settings.learns_on = options.saved || options.online;
    if (options.with_prior) {
        settings.prior = GaussianPrior{};
        settings.prior->mean_weight = options.prior_mean_weight.value_or(0);
        settings.prior->degrees = options.prior_degrees.value_or(0);
    }
    settings.labels = options.start;
    std::vector<std::size_t> counts(options.most - options.least + 1);
    std::iota(counts.begin(), counts.end(), options.least);
    return choose_gaussian_mixture(stream, schema, counts, options.shapes, settings, context);
}

}  // namespace

Result<Classifier> heaviest_first(const Classifier& model) {
    const auto order = heaviest_first(std::span<const double>(model.class_weight()));
    ModelState state = model.state();
    Recoding recoding;
    recoding.classes.to.resize(order.size());
    recoding.classes.count = static_cast<std::uint32_t>(order.size());
    for (std::size_t at = 0; at < order.size(); ++at) recoding.classes.to[order[at]] = static_cast<std::uint32_t>(at);
    for (const Column& column : state.statistic.schema.columns) {
        CodeMap same{std::vector<std::uint32_t>(column.levels.size()),
                     static_cast<std::uint32_t>(column.levels.size())};
        std::iota(same.to.begin(), same.to.end(), 0u);
        recoding.levels.push_back(std::move(same));
    }
    state.statistic.recode(recoding);
    return Classifier::from(std::move(state));
}

std::string group_header(std::size_t groups, bool posteriors) {
    std::string header = "cluster";
    for (std::size_t k = 0; posteriors && k < groups; ++k) header += ",p(" + std::to_string(k) + ")";
    return header + '\n';
}

std::string group_lines(const BlockGroups& groups, std::span<const std::uint32_t> skipped) {
    const std::size_t width = groups.share.column_count, rows = groups.code.size();
    const std::string empty = width == 0 ? "\"\"\n" : std::string(width, ',') + '\n';
    std::string text;
    std::size_t next = 0;
    for (std::size_t row = 0; row <= rows; ++row) {
        for (; next < skipped.size() && skipped[next] == row; ++next) text += empty;
        if (row == rows) break;
        append_number(text, groups.code[row]);
        for (const double share : groups.share.row(row)) {
            text += ',';
            append_number(text, share);
        }
        text += '\n';
    }
    return text;
}

Result<MixtureChoice> fit_components(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                     const Context& context) {
    auto chosen = fit_any_mixture(options, schema, stream, context);
    if (!chosen) return chosen;
    const auto order = heaviest_first(std::span<const double>(chosen->best.model.class_weight()));
    for (GroupStep& each : chosen->best.followed) reorder(each, order);
    auto ordered = heaviest_first(chosen->best.model);
    if (!ordered) return ordered.error();
    chosen->best.model = std::move(*ordered);
    return chosen;
}

Result<BlockGroups> component_groups(const Classifier& model, const LabeledBlock& block, bool posteriors,
                                     double* log_evidence) {
    BlockGroups groups{std::vector<std::int32_t>(block.size()), {}};
    ScoreSink sink;
    sink.best = groups.code.data();
    sink.log_evidence = log_evidence;
    if (posteriors) {
        groups.share = Matrix(block.size(), model.class_count());
        sink.scores = groups.share.values.data();
        sink.stride = static_cast<std::ptrdiff_t>(model.class_count());
    }
    Context alone;
    alone.thread_count = 1;
    if (auto scored = model.score(block.rows, sink, alone, block.first_row); !scored) return scored.error();
    return groups;
}

Result<Model> mixture_model(ModelState state, double rows, const std::vector<std::string>& files) {
    state.passes = Passes::mixture;
    state.statistic.schema.integer_classes = true;
    ModelFile made{std::move(state), {rows, {}}};
    for (const auto& file : files) made.seen.files.push_back(recorded_name(file));
    return Model::from(std::move(made));
}

namespace {

// The centres as a model whose classes are numbered as the groups are told.
Result<ModelState> state_of_centres(const KMeans& fit, const Schema& schema) {
    const auto order = heaviest_first(fit.weight);
    Matrix centres(fit.centres.row_count, fit.centres.column_count);
    for (std::size_t k = 0; k < order.size(); ++k) std::ranges::copy(fit.centres.row(order[k]), centres.row(k).begin());
    std::vector<std::string> names;
    for (const Column& column : schema.columns) names.push_back(column.name);
    const double rows = std::accumulate(fit.weight.begin(), fit.weight.end(), 0.0);
    auto model = classifier_of_centres(names, centres, fit.inertia, rows);
    if (!model) return model.error();
    return model->state();
}

}  // namespace

Result<FoundGroups> find_means(const ClusterOptions& options, const Schema& schema, Stream& stream,
                               const Context& context) {
    if (options.posteriors)
        return Error(ErrorKind::usage, "k_means has no posteriors").advise({"model", "gaussian_mixture"});
    if (options.least != options.most)
        return Error(ErrorKind::usage, "k_means has no likelihood to choose k by; give one number");
    KMeansSettings settings;
    settings.centre_count = options.most;
    if (options.starts > 0) settings.starts = options.starts;
    settings.follow = options.follow;
    if (options.step_limit > 0) settings.step_limit = options.step_limit;
    if (options.tolerance) settings.tolerance = *options.tolerance;
    if (!options.start.empty()) {
        auto recipe = gaussian_mixture_recipe(schema, {options.most, ComponentShape::spherical});
        if (!recipe) return recipe.error();
        const auto first = start_from_labels(*recipe, stream, options.start, context);
        if (!first) return first.error();
        settings.given = components_of(*first).value().mean;
        settings.start = CentreStart::given;
    }
    auto fit = fit_k_means(stream, schema, settings, context);
    if (!fit) return fit.error();
    FoundGroups found;
    found.told.groups = options.most;
    found.told.weight = fit->weight;
    found.told.objective = fit->inertia;
    found.told.objective_name = "inertia";
    found.told.steps = fit->steps;
    found.told.path = fit->path;
    found.told.path.push_back(fit->inertia);
    for (const Matrix& each : fit->followed) found.told.followed.push_back(group_step(each));
    found.told.notes = fit->notes;
    found.told.centres = fit->centres;
    if (options.saved) {
        auto state = state_of_centres(*fit, schema);
        if (!state) return state.error();
        found.state = std::move(*state);
    }
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
    auto chosen = fit_components(options, schema, stream, context);
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
    told.path = fit->path;
    told.path.push_back(fit->objective(options.hard));
    told.followed = std::move(fit->followed);
    if (!chosen->candidates.empty()) told.covariance = name_of(chosen->candidates[chosen->chosen].shape);
    told.candidates = std::move(chosen->candidates);
    found.state = fit->model.state();
    found.state->statistic.log_likelihood = fit->log_likelihood;
    found.assign = [model = std::move(fit->model), shares = options.posteriors](const LabeledBlock& block) {
        return component_groups(model, block, shares);
    };
    return found;
}

Result<FoundGroups> find_variational(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                     const Context& context) {
    const ComponentShape shape = plain_shape(options.shapes.front(), 2);
    if (options.shapes.front() == ComponentShape::any || shape > ComponentShape::spherical)
        return Error(ErrorKind::usage, "variational_mixture takes full, tied, diagonal or spherical covariances");
    if (options.least != options.most)
        return Error(ErrorKind::usage, "variational_mixture has no BIC to choose k by; give one number");
    for (const Column& column : schema.columns)
        if (column.kind == ColumnKind::category || column.kind == ColumnKind::text)
            return Error(ErrorKind::usage, "clustering takes numbers only").in_column(column.name);
    VariationalSettings settings;
    settings.components = options.most;
    settings.shape = shape;
    settings.step_limit = options.step_limit > 0 ? options.step_limit : 1000;
    if (options.tolerance) settings.tolerance = *options.tolerance;
    settings.follow = options.follow;
    const auto fit = fit_variational_mixture(stream, schema, settings, context);
    if (!fit) return fit.error();
    auto scored = fit->scored();
    if (!scored) return scored.error();
    FoundGroups found;
    Clustered& told = found.told;
    told.groups = options.most;
    told.objective = fit->path.back();
    told.objective_name = "lower bound of the evidence";
    told.covariance = name_of(settings.shape);
    told.path = fit->path;
    told.first_step = 1;
    told.followed = fit->followed;
    told.steps = fit->path.size();
    told.notes = fit->notes;
    for (const double share : fit->weight) told.weight.push_back(share * fit->total_weight);
    found.assign = [components = std::move(*scored),
                    shares = options.posteriors](const LabeledBlock& block) -> Result<BlockGroups> {
        BlockGroups groups{std::vector<std::int32_t>(block.size())};
        ComponentScores into;
        into.best = groups.code.data();
        if (shares) {
            groups.share = Matrix(block.size(), components.offset.size());
            into.posterior = groups.share.values.data();
        }
        Context alone;
        alone.thread_count = 1;
        if (auto done = score_rows(block.rows, components, into, alone); !done) return done.error();
        return groups;
    };
    return found;
}

namespace {

// The groups as they are told: the heaviest first.
FoundGroups numbered(FoundGroups found) {
    Clustered& told = found.told;
    const auto order = heaviest_first(told.weight);
    if (std::ranges::is_sorted(order)) return found;
    std::ranges::sort(told.weight, std::greater{});
    for (GroupStep& each : told.followed) reorder(each, order);
    if (told.centres.row_count > 0) {
        const Matrix before = told.centres;
        for (std::size_t k = 0; k < order.size(); ++k)
            std::ranges::copy(before.row(order[k]), told.centres.row(k).begin());
    }
    found.assign = [assign = std::move(found.assign), order](const LabeledBlock& block) -> Result<BlockGroups> {
        auto groups = assign(block);
        if (!groups) return groups;
        std::vector<std::int32_t> number(order.size());
        for (std::size_t k = 0; k < order.size(); ++k) number[order[k]] = static_cast<std::int32_t>(k);
        for (std::int32_t& code : groups->code) code = number[static_cast<std::size_t>(code)];
        const Matrix before = groups->share;
        for (std::size_t row = 0; row < before.row_count; ++row)
            for (std::size_t k = 0; k < before.column_count; ++k) groups->share(row, k) = before(row, order[k]);
        return groups;
    };
    return found;
}

}  // namespace

Result<FoundGroups> find_groups(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                const Context& context) {
    const auto find = options.model == "variational_mixture" ? find_variational
                      : options.model != "k_means"           ? find_components
                      : options.distance                     ? find_centres
                                                             : find_means;
    auto found = find(options, schema, stream, context);
    if (!found) return found;
    return numbered(std::move(*found));
}

}  // namespace suffice
