// Learns the names of classes and levels in one pass, then compares under them.
#include "suffice/flow/compare.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include "suffice/accumulate/held_rows.hpp"
#include "suffice/base/guarded.hpp"
#include "suffice/compare/present_classes.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/flow/fit.hpp"
#include "suffice/flow/fit_by_passes.hpp"
#include "suffice/flow/fold_column.hpp"
#include "suffice/flow/row_source.hpp"
#include "suffice/flow/settings_table.hpp"
#include "suffice/group/mixture_unlabeled.hpp"
#include "suffice/model/fit_features.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

// Mixtures and logistic regression are fitted again for each fold, so they are tried by themselves on tables up to this
// many cells, and by name on any.
constexpr double most_cells = 2e6;

// What the candidate takes of the options, with what it tries itself.
FitOptions options_for(const FitOptions& options, const Candidate& candidate, const CompareOptions& how = {}) {
    const ModelEntry& model = *find_model(candidate.model);
    FitOptions own = settings_for(options, model), tried;
    tried.settings = candidate.recipe.settings;
    for (const Setting& each : settings_table())
        if (each.is_estimate() && !each.is_usual(tried)) each.set(own, each.get(tried)).value();
    if (candidate.penalty > 0) own.regression.penalty = candidate.penalty;
    if (own.regression.searches()) own.regression.folds = how.fold_count;
    return own;
}

using FitPasses = std::function<Result<PredictorState>(const FitOptions&, const Schema&, Stream&, const Context&)>;

Candidate by_passes(const std::string& model, const FitOptions& options, const FitPasses& fit = fit_by_passes) {
    FitOptions own = options;
    own.model = model;
    return {model,
            {},
            {.model = model},
            [own, fit](const Schema& schema, Stream& rows,
                       const Context& context) -> Result<std::shared_ptr<const Predictor>> {
                auto state = fit(own, schema, rows, context);
                if (!state && state.error().kind == ErrorKind::input && !context.stopped()) {
                    auto present = PresentClasses::of(rows, schema, context);
                    if (!present) return present.error();
                    if (!present->all()) state = fit(own, present->schema(), *present, context);
                }
                if (!state) return state.error();
                const auto made = Model::from({std::move(*state), {}});
                if (!made) return made.error();
                return made->share();
            }};
}

// The folds go on from what EM has found in all rows; how many components and which structure each has is its own.
Candidate mixtures(const FitOptions& options) {
    const auto earlier = std::make_shared<EarlierMixtures>();
    return by_passes("mixture_discriminant", options,
                     [earlier](const FitOptions& own, const Schema& schema, Stream& rows,
                               const Context& context) -> Result<PredictorState> {
                         if (auto again = rows.rewind(); !again) return again.error();
                         const double unlabeled = own.passes.uses_unlabeled() ? own.passes.unlabeled_weight : 0;
                         auto fit =
                             fit_mixture_discriminant(schema, rows, own.mixture, unlabeled, context, earlier.get());
                         if (!fit) return fit.error();
                         return PredictorState(fit->state());
                     });
}

// What was asked of a regression.
std::vector<GivenSetting> regression_settings(const FitOptions& options) {
    std::vector<GivenSetting> given;
    for (const Setting& each : settings_table())
        if (each.part == "regression" && !each.is_usual(options))
            given.push_back({std::string(each.name), each.get(options).text()});
    return given;
}

// As asked; where nothing was asked of the penalty, once without and then along a path, because where classes separate
// the likelihood alone has no maximum, and how much is best is known to the data alone.
std::vector<Candidate> regressions(const FitOptions& options, const CompareOptions& how) {
    Candidate asked{"logistic_regression", regression_settings(options), {.model = "logistic_regression"}};
    const FitOptions own = options_for(options, asked, how);
    asked.fit_again = by_passes("logistic_regression", own).fit_again;
    std::vector<Candidate> made{std::move(asked)};
    if (own.regression.penalty != Penalty() || own.regression.lasso != Strength()) return made;
    for (const double penalty : {0.01, 0.1, 1.0, 10.0}) {
        FitOptions penalized = own;
        penalized.regression.penalty = penalty;
        made.push_back(by_passes("logistic_regression", penalized));
        made.back().options = regression_settings(penalized);
        made.back().penalty = penalty;
    }
    return made;
}

// in_parts: each pass over the rows costs a round.
Result<std::vector<Candidate>> candidates_for(const Schema& schema, double rows, const FitOptions& options,
                                              const CompareOptions& how, bool in_parts) {
    std::vector<std::string> wanted;
    for (const auto& name : how.models) {
        auto canonical = canonical_model(name);
        if (!canonical) return canonical.error();
        wanted.push_back(std::move(*canonical));
    }
    const auto asked = [&](const std::string& name) { return std::ranges::find(wanted, name) != wanted.end(); };
    std::vector<Candidate> all;
    for (Candidate& candidate : usual_candidates(schema, rows)) {
        if (!wanted.empty() && !asked(candidate.model)) continue;
        candidate.recipe = options_for(options, candidate).recipe();
        all.push_back(std::move(candidate));
    }
    const auto kind_count = [&](auto... kinds) {
        return std::ranges::count_if(schema.columns, [&](const Column& c) { return ((c.kind == kinds) || ...); });
    };
    const auto width = static_cast<std::ptrdiff_t>(schema.columns.size());
    const bool small = rows * static_cast<double>(width) <= most_cells && wanted.empty() && !in_parts;
    const bool numbers = kind_count(ColumnKind::number, ColumnKind::flag) == width;
    if (asked("mixture_discriminant") || (small && numbers))
        all.push_back(mixtures(settings_for(options, *find_model("mixture_discriminant"))));
    if (asked("logistic_regression") || (small && kind_count(ColumnKind::text) == 0))
        for (Candidate& candidate : regressions(options, how)) all.push_back(std::move(candidate));
    for (const auto& name : wanted)  // named, but not among the usual ones
        if (std::ranges::find(all, name, &Candidate::model) == all.end())
            all.push_back({name, {}, settings_for(options, *find_model(name)).recipe(), {}});
    std::vector<std::string> names;
    for (const Candidate& each : all) names.push_back(each.model);
    if (auto checked = check_settings(options, names); !checked) return checked.error();
    return all;
}

Result<Comparison> leave_out(Stream& stream, const Schema& schema, const std::vector<Candidate>& candidates,
                             const Context& context, const Locate& locate) {
    if (std::ranges::any_of(schema.columns, [](const Column& c) { return c.kind == ColumnKind::text; }))
        return Error(ErrorKind::usage, "leaving one out takes numbers and categories")
            .advise({"folds", "", "use", "for text"});
    const auto held = hold_rows(stream, schema, context);
    if (!held) return held.error();
    return leave_each_out(held->block(), schema, candidates, context, locate);
}

struct Ran {
    ComparedFiles files;
    std::vector<Candidate> candidates;
};

// `folds`: those of the rows, once for each repetition; none: dealt out here.
Result<std::vector<FoldPlan>> fold_plans(std::vector<std::vector<std::uint32_t>> folds, Stream& stream,
                                         std::size_t class_count, const CompareOptions& how, const Context& context) {
    std::vector<FoldPlan> plans;
    Context seeded = context;
    for (std::uint32_t repeat = 0; repeat < (folds.empty() ? how.repeats : folds.size()); ++repeat) {
        seeded.seed = context.seed + repeat;
        auto plan = folds.empty() ? FoldPlan::stratified(stream, class_count, how.fold_count, seeded)
                                  : FoldPlan::given(std::move(folds[repeat]), !how.time_column.empty());
        if (!plan) return plan.error();
        plans.push_back(std::move(*plan));
    }
    return plans;
}

// A class of which some fold has no row is learned from fewer rows than it seems, or from none.
void note_rare_classes(const Model& first, const CompareOptions& how, std::vector<Note>& notes) {
    const auto& weight = first.predictor().class_weight();
    std::vector<std::string> rare;
    for (std::size_t c = 0; c < weight.size(); ++c)
        if (!how.leave_one_out && weight[c] > 0 && weight[c] < how.fold_count)
            rare.push_back(first.schema().classes[c]);
    if (rare.size() == 1) notes.push_back("class " + rare[0] + " has fewer rows than there are folds");
    if (rare.size() > 1)
        notes.push_back(std::to_string(rare.size()) +
                        " classes have fewer rows than there are folds: " + listed(rare, 5));
}

// A regression learns of missing values column by column, and folds must agree on which columns have them.
Result<FitOptions> with_holes(FitOptions options, const Schema& schema, Stream& stream, const Context& context) {
    if (options.regression.missing_values != MissingValues::indicator) return options;
    const auto holes = find_holes(schema, stream, context);
    if (!holes) return holes.error();
    for (std::size_t k = 0; k < schema.columns.size(); ++k)
        if (holes->missing[k] > 0) options.regression.columns_with_holes.push_back(schema.columns[k].name);
    if (auto again = stream.rewind(); !again) return again.error();
    return options;
}

std::uint32_t whole_rows(double rows) { return static_cast<std::uint32_t>(std::min(rows, double{most_folds})); }

// The names of classes and levels come from a first fit; `folds` are those of the rows, or dealt out here.
Result<Ran> run_compare(RowSource& source, const FitOptions& options, const FitOptions& first_options,
                        std::vector<Note> notes, CompareOptions how, std::vector<std::vector<std::uint32_t>> folds,
                        const Context& context) {
    const auto first = fit(source, first_options, std::move(notes), context);
    if (!first) return first.error();
    if (how.fewer_folds) how.fold_count = std::max(2u, std::min(how.fold_count, whole_rows(first->seen().rows)));
    const Schema& schema = first->schema();
    const auto known = source.under(schema, context);
    if (!known) return source.at_row(known.error());
    const auto known_options = with_holes(options, schema, **known, context);
    if (!known_options) return source.at_row(known_options.error());
    const bool in_parts = source.rows().rounds() != nullptr;
    const auto candidates = candidates_for(schema, first->seen().rows, *known_options, how, in_parts);
    if (!candidates) return candidates.error();
    const Locate locate = [&](const Error& error) { return error.row ? source.at_row(error) : error; };
    const auto run = [&]() -> Result<Comparison> {
        if (how.leave_one_out) return leave_out(**known, schema, *candidates, context, locate);
        const auto plans = fold_plans(std::move(folds), **known, schema.classes.size(), how, context);
        if (!plans) return plans.error();
        return cross_validate(**known, schema, *candidates, *plans, context, how.how, locate);
    };
    auto done = run();
    if (!done) return source.at_row(done.error());
    Ran ran{{std::move(done->models), std::move(done->curve), done->nested, first->seen().rows, first->notes(),
             done->stopped},
            *candidates};
    note_rare_classes(*first, how, ran.files.notes);
    return ran;
}

// Where a column tells which rows belong together, or follow each other.
Result<std::vector<std::vector<std::uint32_t>>> folds_of_columns(const Data& data, const FitOptions& options,
                                                                 const CompareOptions& how, const Context& context) {
    std::vector<std::vector<std::uint32_t>> folds;
    if (!how.fold_column.empty()) {
        auto read = read_folds(data, options.read, how.fold_column, context);
        if (!read) return read.error();
        folds.push_back(std::move(*read));
    }
    const std::string& column = how.group_column.empty() ? how.time_column : how.group_column;
    if (column.empty()) return folds;
    if (how.fold_count < 2) return Error(ErrorKind::usage, "cross-validation needs at least two folds");
    const auto values = read_values(data, options.read, column, context);
    if (!values) return values.error();
    if (how.group_column.empty()) {
        folds.push_back(folds_in_order(*values, how.fold_count));
        return folds;
    }
    if (values->names.size() < how.fold_count)
        return Error(ErrorKind::usage, "the column " + column + " has " + std::to_string(values->names.size()) +
                                           " different values, too few for " + std::to_string(how.fold_count) +
                                           " folds");
    Context seeded = context;
    for (std::uint32_t repeat = 0; repeat < how.repeats; ++repeat) {
        seeded.seed = context.seed + repeat;
        folds.push_back(FoldPlan::of_groups(values->value_of_row, how.fold_count, seeded));
    }
    return folds;
}

Result<Ran> run_compare(const Data& data, const FitOptions& options, const CompareOptions& how,
                        const Context& context) {
    if (std::ranges::find(data.files(), "-") != data.files().end())
        return Error(ErrorKind::usage, "compare reads its data several times; save standard input to a file first");
    auto folds = folds_of_columns(data, options, how, context);
    if (!folds) return folds.error();
    auto opened = open_for_fit(data, naming_options(options, how));
    if (!opened) return opened.error();
    return run_compare(*rows_of_files(*opened), options, opened->options, opened->notes, how, std::move(*folds),
                       context);
}

// The options under which the best model was compared.
Result<FitOptions> best_of(const Ran& ran, const FitOptions& options) {
    const Compared& best = ran.files.models.front();
    if (best.failed()) {
        Error none("no model could be fitted: " + best.failure.sentence);
        none.remedies = best.failure.remedies;
        return none;
    }
    const auto winner = std::ranges::find_if(ran.candidates, [&](const Candidate& each) {
        return each.model == best.model && each.options == best.options;
    });
    return options_for(options, *winner);
}

Result<Model> told(Result<Model> model, Ran ran) {
    if (!model) return model.error();
    if (ran.files.models.front().model == "priors_only")
        model =
            model->with_note("no model does better than the shares of the classes alone, so these are what it says");
    for (Compared& each : ran.files.models) {  // the same data give the same file
        each.seconds = 0;
        each.fold_log_loss.clear();
    }
    return model->with_comparison(std::move(ran.files.models));
}

}  // namespace

FitOptions naming_options(const FitOptions& options, const CompareOptions& how) {
    // A model of one family reads every column as that family does, where it is the only one asked for.
    const auto only = how.models.size() == 1 ? model_entry(how.models[0]) : model_entry("naive_bayes");
    const bool own = only && (*only)->numbers == NumberForm::one_family;
    FitOptions plain = settings_for(options, own ? **only : *find_model("naive_bayes"));
    for (const std::string& column : {how.fold_column, how.group_column, how.time_column})
        if (!column.empty()) plain.exclude.push_back(column);
    return plain;
}

Result<ComparedFiles> compare(RowSource& source, const FitOptions& options, const FitOptions& names,
                              const CompareOptions& how, const Context& context) {
    return guarded([&]() -> Result<ComparedFiles> {
        auto ran = run_compare(source, options, names, {}, how, {}, context);
        if (!ran) return ran.error();
        return std::move(ran->files);
    });
}

Result<ComparedFiles> compare(const Data& data, const FitOptions& options, const CompareOptions& how,
                              const Context& context) {
    return guarded([&]() -> Result<ComparedFiles> {
        auto ran = run_compare(data, options, how, context);
        if (!ran) return ran.error();
        return std::move(ran->files);
    });
}

Result<Comparison> compare(const LabeledBlock& rows, const Schema& schema, const FitOptions& options,
                           const CompareOptions& how, std::vector<std::uint32_t> fold_of_row, const Context& context) {
    return guarded([&]() -> Result<Comparison> {
        MemoryStream stream(rows, schema);
        const auto known = with_holes(options, schema, stream, context);
        if (!known) return known.error();
        const auto candidates = candidates_for(schema, static_cast<double>(rows.size()), *known, how, false);
        if (!candidates) return candidates.error();
        if (how.leave_one_out) return leave_each_out(rows, schema, *candidates, context);
        std::vector<std::vector<std::uint32_t>> folds;
        if (!fold_of_row.empty()) folds.push_back(std::move(fold_of_row));
        const auto plans = fold_plans(std::move(folds), stream, schema.classes.size(), how, context);
        if (!plans) return plans.error();
        return cross_validate(stream, schema, *candidates, *plans, context, how.how);
    });
}

Result<Model> fit_best(const Data& data, const FitOptions& options, const Context& context) {
    return guarded([&]() -> Result<Model> {
        CompareOptions how;
        how.fewer_folds = true;
        how.how.budget = usual_budget;
        auto ran = run_compare(data, options, how, context);
        if (!ran) return ran.error();
        const auto best = best_of(*ran, options);
        if (!best) return best.error();
        return told(fit(data, *best, context), std::move(*ran));
    });
}

Result<Model> fit_best(RowSource& source, const FitOptions& options, const Context& context) {
    return guarded([&]() -> Result<Model> {
        CompareOptions how;
        how.fewer_folds = true;
        if (source.rows().rounds() == nullptr) how.how.budget = usual_budget;
        auto ran = run_compare(source, options, naming_options(options, {}), {}, how, {}, context);
        if (!ran) return ran.error();
        const auto best = best_of(*ran, options);
        if (!best) return best.error();
        if (auto again = source.rows().rewind(); !again) return again.error();
        return told(fit(source, *best, {}, context), std::move(*ran));
    });
}

}  // namespace suffice
