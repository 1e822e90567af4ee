// Fits mixtures and centres to files and writes the group of each row.
#include "suffice/flow/cluster.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/accumulate/held_stream.hpp"
#include "suffice/accumulate/in_order.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/model/k_means.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

constexpr std::array<std::array<std::string_view, 2>, 3> models{
    {{"gaussian_mixture", "gmm"}, {"k_means", "kmeans"}, {"mixture", ""}}};

// The groups of a block: codes, and shares where they exist and are asked for.
struct Groups {
    std::vector<std::int32_t> code;
    Matrix share;
};
using Assign = std::function<Result<Groups>(const LabeledBlock&)>;

std::vector<std::size_t> heaviest_first(const std::vector<double>& weight) {
    std::vector<std::size_t> order(weight.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t k) { return weight[k]; });
    return order;
}

struct Found {
    Clustered told;
    Assign assign;
};

Result<Found> find_centres(const ClusterOptions& options, const Schema& schema, Stream& stream,
                           const Context& context) {
    if (options.posteriors) return Error(ErrorKind::usage, "k_means has no posteriors; --model gaussian_mixture has");
    if (options.least != options.most)
        return Error(ErrorKind::usage, "k_means has no likelihood to choose --k by; give one number");
    KMeansSettings settings;
    settings.centre_count = options.most;
    settings.starts = std::max<std::size_t>(options.starts, settings.starts);
    auto fit = fit_k_means(stream, schema, settings, context);
    if (!fit) return fit.error();
    Found found{
        {options.most, fit->weight, fit->inertia, std::numeric_limits<double>::quiet_NaN(), fit->steps, fit->notes},
        {}};
    found.assign = [model = std::move(*fit)](const LabeledBlock& block) -> Result<Groups> {
        Context alone;
        alone.thread_count = 1;
        auto codes = model.predict(block, alone);
        if (!codes) return codes.error();
        return Groups{std::move(*codes), {}};
    };
    return found;
}

Result<MixtureFit> fit_any_mixture(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                   const Context& context) {
    MixtureSettings steps;
    steps.starts = options.starts;
    if (options.model == "mixture") {
        if (options.least != options.most)
            return Error(ErrorKind::usage, "--k takes one number for a mixture of families");
        auto recipe = mixture_recipe(options.fit.recipe(), schema, options.most);
        if (!recipe) return recipe.error();
        return fit_mixture(*recipe, stream, steps, context);
    }
    GaussianMixtureSettings settings;
    settings.shape = options.shape;
    settings.steps = steps;
    std::vector<std::size_t> counts(options.most - options.least + 1);
    std::iota(counts.begin(), counts.end(), options.least);
    auto chosen = choose_gaussian_mixture(stream, schema, counts, std::span(&options.shape, 1), settings, context);
    if (!chosen) return chosen.error();
    return std::move(chosen->best);
}

Result<Found> find_components(const ClusterOptions& options, const Schema& schema, Stream& stream,
                              const Context& context) {
    auto fit = fit_any_mixture(options, schema, stream, context);
    if (!fit) return fit.error();
    Found found{
        {fit->model.class_count(), fit->model.class_weight(), fit->log_likelihood, fit->bic(), fit->steps, fit->notes},
        {}};
    found.assign = [model = std::move(fit->model),
                    shares = options.posteriors](const LabeledBlock& block) -> Result<Groups> {
        Groups groups{std::vector<std::int32_t>(block.size()), {}};
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

}  // namespace

Result<std::string> cluster_model(std::string_view name) {
    std::vector<std::string> known;
    for (const auto& [canonical, alias] : models) {
        if (name == canonical || (!alias.empty() && name == alias)) return std::string(canonical);
        known.emplace_back(canonical);
    }
    const auto near = nearest_name(std::string(name), known);
    return Error(ErrorKind::usage, "cluster has no model " + std::string(name) +
                                       (near.empty() ? "; it has gaussian_mixture, k_means and mixture"
                                                     : "; did you mean " + near + "?"));
}

Result<Clustered> cluster(const std::vector<std::string>& files, const ClusterOptions& options, const TextSink& sink,
                          const Context& context) {
    FitOptions wishes = options.fit;
    wishes.has_classes = false;
    wishes.model = options.model == "mixture" ? "naive_bayes" : "gaussian_nb";
    auto opened = open_for_fit(files, wishes);
    if (!opened) return opened.error();
    const auto names = feed(make_state({.model = "naive_bayes"}, opened->schema).value(), *opened->stream, context);
    if (!names) return in_data(names.error(), *opened->reader);
    Schema schema = names->statistic.schema;
    TableStream stream = opened->stream->without_labels(schema);
    schema.classes.clear();
    ClusterOptions own = options;
    own.fit = opened->options;
    const auto held = HeldStream::hold(stream, context);
    if (!held) return in_data(held.error(), *opened->reader);
    Stream& rows = *held ? **held : stream;
    auto found = options.model == "k_means" ? find_centres(own, schema, rows, context)
                                            : find_components(own, schema, rows, context);
    if (!found) return in_data(found.error(), *opened->reader);
    Clustered told = std::move(found->told);
    const auto order = heaviest_first(told.weight);
    std::vector<std::int32_t> number(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) number[order[k]] = static_cast<std::int32_t>(k);
    std::ranges::sort(told.weight, std::greater{});

    std::string header = "cluster";
    if (options.posteriors)
        for (std::size_t k = 0; k < order.size(); ++k) header += ",p(" + std::to_string(k) + ")";
    if (auto written = sink(header + "\n"); !written) return written.error();
    if (auto again = stream.rewind(); !again) return again.error();
    const auto done = map_in_order(
        stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&, Workspace&) -> Result<std::string> {
            const auto groups = found->assign(block);
            if (!groups) return groups.error();
            std::string text;
            for (std::size_t row = 0; row < block.size(); ++row) {
                append_number(text, number[static_cast<std::size_t>(groups->code[row])]);
                for (std::size_t k = 0; k < groups->share.column_count; ++k) {
                    text += ',';
                    append_number(text, groups->share(row, order[k]));
                }
                text += '\n';
            }
            return text;
        },
        [&](const std::string& text) { return sink(text); });
    if (!done) return in_data(done.error(), *opened->reader);
    told.notes.insert(told.notes.end(), opened->notes.begin(), opened->notes.end());
    return told;
}

}  // namespace suffice
