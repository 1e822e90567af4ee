// Fits and writes densities of files.
#include "suffice/flow/density.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/base/limits.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/flow/family_rows.hpp"
#include "suffice/flow/settings_table.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/read/paths.hpp"
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
    if (auto checked = check_settings(options); !checked) return checked.error();
    auto opened = open_for_fit(files, options);
    if (!opened) return opened.error();
    const auto recipe = make_state(opened->options.recipe(), opened->schema);
    if (!recipe) return recipe.error();
    auto state = feed(*recipe, *opened->stream, context);
    if (!state) return in_data(state.error(), *opened->reader);
    if (!(state->statistic.weight() > 0)) return Error("there are no rows").in_file(opened->reader->files().front());
    const double rows = state->statistic.weight();
    auto model = Model::from({std::move(*state), {rows, {}}}, opened->notes);
    if (!model) return in_data(at_refused_row(model.error(), *opened->stream, *recipe), *opened->reader);
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

double number_or_nan(const Result<double>& number) { return number ? *number : std::nan(""); }

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

// The prior of one column, or of all columns together: its own, else that of all, else the family's default.
Result<Record> prior_of(const AnyFamily& family, const FamilyQuestion& question, const FitOptions& options,
                        const std::string& column) {
    const auto own = std::ranges::find(options.settings.column_priors, column, &ColumnPrior::column);
    if (own != options.settings.column_priors.end()) return family.parse_prior(own->prior);
    return question.prior.empty() ? family.default_prior() : family.parse_prior(question.prior);
}

// The family whose size is that of the statistic.
Result<FamilyHandle> family_of(const FamilyStatistic& rows) { return make_family(rows.family(), rows.shape()); }

// What the statistics of one column say under a prior.
Result<void> add_posterior(FamilyFit& fit, const AnyFamily& family, const FamilyStatistic& rows, const Record& prior,
                           double mass) {
    fit.prior = prior;
    auto posterior = family.posterior(fit.prior, rows);
    if (!posterior) return posterior.error();
    fit.posterior = std::move(*posterior);
    if (auto mean = family.prior_mean(fit.posterior)) fit.posterior_mean = std::move(*mean);
    fit.log_evidence = number_or_nan(family.log_evidence(fit.prior, rows));
    fit.mass = mass;
    auto credible = family.credible_intervals(fit.posterior, mass);
    if (!credible) return credible.error();
    fit.credible = std::move(*credible);
    fit.predictive = predictive_form(family, fit.posterior);
    if (auto before = family.credible_intervals(fit.prior, mass)) fit.prior_credible = std::move(*before);
    fit.prior_predictive = predictive_form(family, fit.prior);
    return {};
}

Result<FamilyFit> fit_one(const FamilyRows& rows, std::size_t k, const FamilyQuestion& question,
                          const FitOptions& options) {
    FamilyFit fit;
    const bool joint = question.is_joint;
    if (joint)
        for (const Column& column : rows.names.columns) fit.columns.push_back(column.name);
    fit.column = joint ? joined(fit.columns) : rows.names.columns[k].name;
    fit.family = question.family;
    fit.missing_rows = rows.missing_rows;
    if (!joint && rows.names.columns[k].kind == ColumnKind::category) fit.levels = rows.names.columns[k].levels;
    const FamilyStatistic& statistic = rows.of[k];
    fit.rows = statistic.weight();
    const auto named = [&](const Error& error) { return Error(error).in_column(fit.column); };
    const auto family = family_of(statistic);
    if (!family) return named(family.error());
    auto likelihood = (*family)->fit(statistic);
    if (!likelihood) return named(likelihood.error());
    fit.likelihood = std::move(*likelihood);
    if (auto unbiased = (*family)->fit(statistic, FamilyEstimate::unbiased)) fit.unbiased = std::move(*unbiased);
    if (auto mean = (*family)->mean(fit.likelihood)) fit.mean = std::move(*mean);
    if (auto natural = (*family)->natural(fit.likelihood)) fit.natural = std::move(*natural);
    fit.log_partition = number_or_nan((*family)->log_partition(fit.likelihood));
    fit.log_likelihood = number_or_nan((*family)->log_likelihood(fit.likelihood, statistic));
    fit.prior_name = (*family)->prior_name();
    const bool asked = !question.prior.empty() || !options.settings.column_priors.empty();
    if (fit.prior_name.empty()) {
        if (asked) return Error(ErrorKind::usage, "the family " + question.family + " has no conjugate prior");
        return fit;
    }
    const auto prior = prior_of(**family, question, options, fit.column);
    if (!prior) return named(prior.error());
    if (auto added = add_posterior(fit, **family, statistic, *prior, question.mass); !added)
        return named(added.error());
    return fit;
}

// Each file by itself, in the order given: what is known after it, and how well it was foretold.
Result<FamilyRows> fold_batches(const std::vector<std::string>& files, const FamilyQuestion& question,
                                const FitOptions& options, const Context& context, std::vector<FamilyRows>& batches) {
    std::optional<FamilyRows> all;
    for (const std::string& file : files) {
        auto opened = open_for_family({file}, question.family, options);
        if (!opened) return opened.error();
        auto rows = fold_family(*opened, question.family, context);
        if (!rows) return rows.error();
        if (all)
            if (const auto fits = unite(all->names, rows->names); !fits) return Error(fits.error()).in_file(file);
        batches.push_back(*rows);
        if (all)
            all->merge(*rows);
        else
            all = std::move(*rows);
    }
    all->tidy();
    return std::move(*all);
}

void add_batches(FamilyFit& fit, std::size_t k, const std::vector<std::string>& files, const FamilyRows& all,
                 const std::vector<FamilyRows>& batches) {
    if (fit.prior_name.empty()) return;
    FamilyRows so_far = all;
    const auto family = family_of(all.of[k]);
    if (!family) return;
    for (auto& each : so_far.of)
        if (auto blank = family_of(each)) each = (*blank)->empty_statistic();
    double before = 0;
    for (std::size_t b = 0; b < batches.size(); ++b) {
        so_far.merge(batches[b]);
        FamilyBatch& batch = fit.batches.emplace_back();
        batch.name = files[b];
        batch.rows = batches[b].of[k].weight();
        if (auto posterior = (*family)->posterior(fit.prior, so_far.of[k])) batch.posterior = std::move(*posterior);
        if (auto mean = (*family)->prior_mean(batch.posterior)) batch.posterior_mean = std::move(*mean);
        if (auto credible = (*family)->credible_intervals(batch.posterior, fit.mass))
            batch.credible = std::move(*credible);
        batch.predictive = predictive_form(**family, batch.posterior);
        const double evidence = number_or_nan((*family)->log_evidence(fit.prior, so_far.of[k]));
        batch.log_predictive = evidence - before;
        before = evidence;
    }
}

// Levels that were stated count whether or not a row has them.
Result<void> add_levels(FamilyRows& rows, const FamilyQuestion& question) {
    if (question.levels.empty()) return {};
    FamilyRows none = rows;
    for (Column& column : none.names.columns) {
        if (column.kind != ColumnKind::category)
            return Error(ErrorKind::usage, question.family + " has no levels that could be stated");
        column.levels = question.levels;
    }
    for (FamilyStatistic& each : none.of) {
        const auto family = make_sized_family(question.family, question.levels.size());
        if (!family) return family.error();
        each = (*family)->empty_statistic();
    }
    rows.merge(none);
    for (std::size_t k = 0; k < rows.of.size(); ++k) {  // in their order of names again
        const auto all = [](std::size_t) { return true; };
        (void)rows.of[k].recode(leave_names(rows.names.columns[k].levels, all, true));
    }
    return {};
}

// What the rows say for each family of a column, against the others of that column.
void judge_families(std::vector<FamilyFit>& fits) {
    for (FamilyFit& fit : fits) {
        const auto family = make_family(fit.family);
        const bool by_bic = fit.prior_name.empty() || std::isnan(fit.log_evidence);
        const double free = family ? static_cast<double>((*family)->parameter_count()) : 0;
        fit.judged = {by_bic ? fit.log_likelihood - free / 2 * std::log(fit.rows) : fit.log_evidence, 0, by_bic};
    }
    for (FamilyFit& fit : fits) {
        std::vector<double> others;
        for (const FamilyFit& other : fits)
            if (other.column == fit.column) others.push_back(other.judged->log_evidence);
        fit.judged->probability = std::exp(fit.judged->log_evidence - log_sum_exp(others));
    }
}

// log p(row) under each column's family, or under that of all columns: by the likelihood's parameter, or, where a prior
// is given, with the parameter integrated out.
struct FamilyScore {
    FamilyHandle family;
    Record known;  // parameter or posterior
    bool predictive;

    Result<double> at(Numbers value) const {
        auto found = predictive ? family->log_predictive(known, value) : family->log_density(known, value);
        if (!found) return found.error();
        return found->front();
    }
};

Result<double> score_row(const std::vector<FamilyScore>& scores, const Schema& names, std::span<const double> row,
                         bool joint) {
    if (joint) {
        if (std::ranges::any_of(row, [](double x) { return std::isnan(x); }))
            return Error("a value is missing, and " + std::string(scores[0].family->name()) +
                         " has a density of whole rows only");
        return scores[0].at(row);
    }
    double sum = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
        if (std::isnan(row[k])) continue;
        if (names.columns[k].kind == ColumnKind::category && row[k] == unseen_level) return -infinity;
        const auto own = scores[k].at(row.subspan(k, 1));
        if (!own) return Error(own.error()).in_column(names.columns[k].name);
        sum += *own;
    }
    return sum;
}

// Which bandwidths a rule chose, as the scorer tells them; nothing where there are none.
std::vector<Note> notes_of(const Model& model) {
    std::vector<Note> notes = model.notes();
    std::string told;
    for (const auto& column : model.predictor().describe().columns) {
        const double bandwidth = column.by_class.empty() ? not_a_number : column.by_class.front().number("bandwidth");
        if (!std::isnan(bandwidth))
            told += (told.empty() ? "" : ", ") + model.schema().columns[column.column].name + " " +
                    short_number(bandwidth, 6);
    }
    if (!told.empty()) notes.push_back("bandwidth of the kernels: " + told);
    return notes;
}

}  // namespace

Result<Model> fit_density(const std::vector<std::string>& files, FitOptions options, const Context& context) {
    auto made = open_and_fit(files, std::move(options), context);
    if (!made) return made.error();
    return std::move(made->model);
}

Result<std::vector<Note>> write_densities(const std::vector<std::string>& files, const FitOptions& options,
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
        return notes_of(model);
    }
    ApplyOptions apply;
    apply.read = options.read;
    auto applied = open_for_model(model, at, apply);
    if (!applied) return applied.error();
    if (auto done = write_rows(model.predictor(), *applied->data.stream, sink, context); !done)
        return in_data(done.error(), *applied->data.reader);
    auto notes = notes_of(model);
    notes.insert(notes.end(), applied->data.notes.begin(), applied->data.notes.end());
    return notes;
}

Result<std::vector<FamilyFit>> fit_family(const std::vector<std::string>& files, const FamilyQuestion& question,
                                          const FitOptions& options, const Context& context) {
    FamilyQuestion asked = question;
    std::vector<FamilyRows> batches;
    FamilyRows rows;
    if (question.batches) {
        const auto paths = expand_paths(files);
        if (!paths) return paths.error();
        auto all = fold_batches(*paths, question, options, context, batches);
        if (!all) return all.error();
        rows = std::move(*all);
    } else {
        auto opened = open_for_family(files, question.family, options);
        if (!opened) return opened.error();
        auto all = fold_family(*opened, question.family, context);
        if (!all) return all.error();
        rows = std::move(*all);
    }
    if (auto added = add_levels(rows, question); !added) return added.error();
    asked.is_joint = (*make_family(question.family))->is_joint();
    std::vector<FamilyFit> fits;
    for (std::size_t k = 0; k < rows.of.size(); ++k) {
        auto fit = fit_one(rows, k, asked, options);
        if (!fit) return fit.error();
        if (question.batches) add_batches(*fit, k, files, rows, batches);
        fits.push_back(std::move(*fit));
    }
    return fits;
}

Result<std::vector<FamilyFit>> compare_families(const std::vector<std::string>& files,
                                                const std::vector<FamilyQuestion>& questions, const FitOptions& options,
                                                const Context& context) {
    std::vector<FamilyFit> all;
    for (const FamilyQuestion& question : questions) {
        auto fits = fit_family(files, question, options, context);
        if (!fits) return fits.error();
        all.insert(all.end(), std::make_move_iterator(fits->begin()), std::make_move_iterator(fits->end()));
    }
    if (questions.size() > 1) judge_families(all);
    return all;
}

Result<std::vector<Note>> write_family_densities(const std::vector<std::string>& files, const FamilyQuestion& question,
                                                 const FitOptions& options, const std::vector<std::string>& at,
                                                 const TextSink& sink, const Context& context) {
    auto opened = open_for_family(files, question.family, options);
    if (!opened) return opened.error();
    auto rows = fold_family(*opened, question.family, context);
    if (!rows) return rows.error();
    if (auto added = add_levels(*rows, question); !added) return added.error();
    FamilyQuestion asked = question;
    asked.is_joint = opened->is_joint;
    std::vector<FamilyScore> scores;
    for (std::size_t k = 0; k < rows->of.size(); ++k) {
        const auto fit = fit_one(*rows, k, asked, options);
        if (!fit) return fit.error();
        const bool own = std::ranges::find(options.settings.column_priors, fit->column, &ColumnPrior::column) !=
                         options.settings.column_priors.end();
        const bool predictive = own || !question.prior.empty();
        scores.push_back({*family_of(rows->of[k]), predictive ? fit->posterior : fit->likelihood, predictive});
    }
    ApplyOptions apply;
    apply.read = options.read;
    auto applied = open_for_names(rows->names, at, apply);
    if (!applied) return applied.error();
    if (auto header = sink("log_density\n"); !header) return header.error();
    const std::size_t width = rows->names.columns.size();
    const auto written = map_in_order(
        *applied->data.stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&, Workspace&) -> Result<std::string> {
            std::string text;
            std::vector<double> row(width);
            for (std::size_t r = 0; r < block.size(); ++r) {
                for (std::size_t k = 0; k < width; ++k) row[k] = value_at(block.rows, r, k);
                const auto value = score_row(scores, rows->names, row, opened->is_joint);
                if (!value) return Error(value.error()).at_row(block.first_row + r + 1);
                append_number(text, *value);
                text += '\n';
            }
            return text;
        },
        [&](const std::string& text) { return sink(text); });
    if (!written) return in_data(written.error(), *applied->data.reader);
    return applied->data.notes;
}

}  // namespace suffice
