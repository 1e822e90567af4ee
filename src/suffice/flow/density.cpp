// Fits and writes densities of files.
#include "suffice/flow/density.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/family/handle.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

struct Scratch {
    std::vector<double> log_density;
};

struct OneClass {
    OpenedData opened;
    Model model;
};

Result<OneClass> open_and_fit(const std::vector<std::string>& files, FitOptions options, const Context& context) {
    options.has_classes = false;
    auto opened = open_for_fit(files, options);
    if (!opened) return opened.error();
    const auto recipe = make_state(opened->options.recipe(), opened->schema);
    if (!recipe) return recipe.error();
    auto state = feed(*recipe, *opened->stream, context);
    if (!state) return in_data(state.error(), *opened->reader);
    if (!(state->statistic.weight() > 0)) return Error("there are no rows").in_file(opened->reader->files().front());
    const double rows = state->statistic.weight();
    auto model = Model::from({std::move(*state), {rows, {}}}, opened->notes);
    if (!model) return at_refused_row(model.error(), *opened, *recipe);
    return OneClass{std::move(*opened), std::move(*model)};
}

Result<void> write_rows(const Predictor& model, Stream& stream, const TextSink& sink, const Context& context) {
    if (auto written = sink("log_density\n"); !written) return written;
    return map_in_order(
        stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&,
            Workspace& workspace) -> Result<std::string> {
            auto& log_density = workspace.of<Scratch>().log_density;
            log_density.resize(block.size());
            ScoreSink scores;
            scores.log_evidence = log_density.data();
            Context alone;
            alone.thread_count = 1;
            if (auto scored = model.score(block.rows, scores, alone, block.first_row); !scored) return scored.error();
            std::string text;
            for (double value : log_density) {
                append_number(text, value);
                text += '\n';
            }
            return text;
        },
        [&](const std::string& text) { return sink(text); });
}

// All values of the columns of numbers, with the weights of their rows.
struct Gathered {
    std::vector<std::vector<double>> values;
    std::vector<std::vector<double>> weights;
};

double number_or_nan(const Result<double>& number) { return number ? *number : std::nan(""); }

}  // namespace

Result<Model> fit_density(const std::vector<std::string>& files, FitOptions options, const Context& context) {
    auto made = open_and_fit(files, std::move(options), context);
    if (!made) return made.error();
    return std::move(made->model);
}

Result<std::vector<std::string>> write_densities(const std::vector<std::string>& files, const FitOptions& options,
                                                 const std::vector<std::string>& at, const TextSink& sink,
                                                 const Context& context) {
    auto made = open_and_fit(files, options, context);
    if (!made) return made.error();
    const Model& model = made->model;
    if (auto dense = model.predictor().check_density(); !dense) return dense.error();
    if (at.empty()) {
        TableStream known = made->opened.stream->with_names(model.schema());
        if (auto again = known.rewind(); !again) return again.error();
        if (auto done = write_rows(model.predictor(), known, sink, context); !done)
            return in_data(done.error(), *made->opened.reader);
        return model.notes();
    }
    ApplyOptions apply;
    apply.read = options.read;
    auto applied = open_for_model(model, at, apply);
    if (!applied) return applied.error();
    if (auto done = write_rows(model.predictor(), *applied->data.stream, sink, context); !done)
        return in_data(done.error(), *applied->data.reader);
    auto notes = model.notes();
    notes.insert(notes.end(), applied->data.notes.begin(), applied->data.notes.end());
    return notes;
}

Result<std::vector<FamilyFit>> fit_family(const std::vector<std::string>& files, const std::string& family,
                                          const FitOptions& options, const Context& context) {
    const auto handle = make_family(family);
    if (!handle) return handle.error();
    if ((*handle)->value_size() != 1)
        return Error(ErrorKind::usage, "the family " + family + " is not one of single numbers");
    FitOptions wishes = options;
    wishes.has_classes = false;
    wishes.model = "gaussian_nb";
    auto opened = open_for_fit(files, wishes);
    if (!opened) return opened.error();
    const std::size_t width = opened->schema.columns.size();
    Gathered all{std::vector<std::vector<double>>(width), std::vector<std::vector<double>>(width)};
    const auto read = map_in_order(
        *opened->stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&, Workspace&) -> Result<Gathered> {
            Gathered part{std::vector<std::vector<double>>(width), std::vector<std::vector<double>>(width)};
            for (std::size_t k = 0; k < width; ++k)
                for (std::size_t row = 0; row < block.size(); ++row)
                    if (const double x = value_at(block.rows, row, k); !std::isnan(x)) {
                        part.values[k].push_back(x);
                        part.weights[k].push_back(block.weight_of(row));
                    }
            return part;
        },
        [&](const Gathered& part) -> Result<void> {
            for (std::size_t k = 0; k < width; ++k) {
                all.values[k].insert(all.values[k].end(), part.values[k].begin(), part.values[k].end());
                all.weights[k].insert(all.weights[k].end(), part.weights[k].begin(), part.weights[k].end());
            }
            return {};
        });
    if (!read) return in_data(read.error(), *opened->reader);
    std::vector<FamilyFit> fits;
    for (std::size_t k = 0; k < width; ++k) {
        FamilyFit& fit = fits.emplace_back();
        fit.column = opened->schema.columns[k].name;
        fit.family = family;
        const auto named = [&](const Error& error) { return Error(error).in_column(fit.column); };
        const Numbers values = all.values[k], weights = all.weights[k];
        for (double weight : weights) fit.rows += weight;
        auto likelihood = (*handle)->fit(values, weights, FamilyEstimate::likelihood, nullptr);
        if (!likelihood) return named(likelihood.error());
        fit.likelihood = std::move(*likelihood);
        if (auto unbiased = (*handle)->fit(values, weights, FamilyEstimate::unbiased, nullptr))
            fit.unbiased = std::move(*unbiased);
        if (auto natural = (*handle)->natural(fit.likelihood)) fit.natural = std::move(*natural);
        fit.log_partition = number_or_nan((*handle)->log_partition(fit.likelihood));
        fit.log_likelihood = number_or_nan((*handle)->log_likelihood(fit.likelihood, values, weights));
        fit.prior_name = (*handle)->prior_name();
        if (fit.prior_name.empty()) continue;
        const auto asked = std::ranges::find(options.column_priors, fit.column, &ColumnPrior::column);
        auto prior =
            asked == options.column_priors.end() ? (*handle)->default_prior() : (*handle)->parse_prior(asked->prior);
        if (!prior) return named(prior.error());
        fit.prior = std::move(*prior);
        auto posterior = (*handle)->posterior(fit.prior, values, weights);
        if (!posterior) return named(posterior.error());
        fit.posterior = std::move(*posterior);
        if (auto mean = (*handle)->prior_mean(fit.posterior)) fit.posterior_mean = std::move(*mean);
        fit.log_evidence = number_or_nan((*handle)->log_evidence(fit.prior, values, weights));
    }
    return fits;
}

}  // namespace suffice
