// Learns the names of classes and levels in one pass, then compares under them.
#include "suffice/flow/compare.hpp"

#include <algorithm>

#include "suffice/accumulate/held_stream.hpp"
#include "suffice/accumulate/in_order.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/encode/vocabulary.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/flow/fit_by_passes.hpp"
#include "suffice/flow/fold_column.hpp"
#include "suffice/flow/open_data.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

// Mixtures and logistic regression are fitted again for each fold, so they are tried by themselves on tables up to this
// many cells, and by name on any.
constexpr double most_cells = 2e6;

FitOptions with_candidate(FitOptions options, const Candidate& candidate) {
    const Settings& settings = candidate.recipe.settings;
    options.model = candidate.model;
    options.shrinkage_kind = settings.shrinkage;
    options.shrinkage = settings.shrinkage_amount;
    options.alpha = settings.own_share;
    options.gamma = settings.identity_share;
    options.smoothing = settings.smoothing;
    if (candidate.penalty > 0) options.penalty = candidate.penalty;
    return options;
}

Candidate by_passes(const std::string& model, const FitOptions& options) {
    FitOptions own = options;
    own.model = model;
    return {
        model,
        "",
        {.model = model},
        [own](const Schema& schema, Stream& rows, const Context& context) -> Result<std::shared_ptr<const Predictor>> {
            auto state = fit_by_passes(own, schema, rows, context);
            if (!state) return state.error();
            const auto made = Model::from({std::move(*state), {}});
            if (!made) return made.error();
            return made->share();
        }};
}

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
    return text;
}

// What was asked of a regression, as the command would take it.
std::string regression_words(const FitOptions& options) {
    std::vector<std::string> words;
    const auto add = [&](const std::string& name, const std::string& value) { words.push_back(name + " " + value); };
    const auto strength = [&](const std::string& name, bool chosen, double value) {
        std::vector<std::string> tried;
        for (const double each : options.search.strengths) tried.push_back(short_number(each));
        if (chosen)
            add(name, tried.empty() || (options.search.squares && options.search.lasso) ? "auto" : listed(tried));
        else if (value > 0)
            add(name, short_number(value));
    };
    if (!options.basis.empty()) add("--basis", "\"" + listed(options.basis) + "\"");
    if (options.firth || options.evidence)
        add("--penalty", options.firth ? "firth" : "evidence");
    else
        strength("--penalty", options.search.squares, options.penalty);
    strength("--lasso", options.search.lasso, options.lasso);
    if (options.search.simplest) add("--choose", "simplest");
    if (options.link == Link::probit) add("--link", "probit");
    if (!options.offset.empty()) add("--offset", listed(options.offset));
    std::vector<std::string> weights;
    for (const auto& [name, weight] : options.class_weights) weights.push_back(name + "=" + short_number(weight));
    if (options.balanced || !weights.empty()) add("--class-weight", options.balanced ? "balanced" : listed(weights));
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

// As asked; where nothing was asked of the penalty, once without and once with a small one, because where classes
// separate the likelihood alone has no maximum.
std::vector<Candidate> regressions(FitOptions options) {
    std::vector<Candidate> made{by_passes("logistic_regression", options)};
    made.back().options = regression_words(options);
    if (options.penalty > 0 || options.lasso > 0 || options.firth || options.evidence || options.search.wanted())
        return made;
    options.penalty = 1;
    made.push_back(by_passes("logistic_regression", options));
    made.back().options = regression_words(options);
    made.back().penalty = options.penalty;
    return made;
}

Result<std::vector<Candidate>> candidates_for(const Schema& schema, double rows, const FitOptions& options,
                                              const CompareOptions& how) {
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
        candidate.recipe.families = options.families;
        candidate.recipe.joint = options.joint;
        if (candidate.options.find("--smoothing") == std::string::npos)
            candidate.recipe.settings.smoothing = options.smoothing;
        candidate.recipe.settings.column_priors = options.column_priors;
        candidate.recipe.settings.class_priors = options.class_priors;
        candidate.recipe.settings.given_priors = options.given_priors;
        all.push_back(std::move(candidate));
    }
    const auto kind_count = [&](auto... kinds) {
        return std::ranges::count_if(schema.columns, [&](const Column& c) { return ((c.kind == kinds) || ...); });
    };
    const auto width = static_cast<std::ptrdiff_t>(schema.columns.size());
    const bool small = rows * static_cast<double>(width) <= most_cells && wanted.empty();
    const bool numbers = kind_count(ColumnKind::number, ColumnKind::flag) == width;
    if (asked("mixture_discriminant") || (small && numbers)) all.push_back(by_passes("mixture_discriminant", options));
    if (asked("logistic_regression") || (small && kind_count(ColumnKind::text) == 0))
        for (Candidate& candidate : regressions(options)) all.push_back(std::move(candidate));
    for (const auto& name : wanted)  // named, but not among the usual ones
        if (std::ranges::find(all, name, &Candidate::model) == all.end() && is_sum(name)) {
            Recipe recipe = options.recipe();
            recipe.model = name;
            all.push_back({name, "", std::move(recipe), {}});
        }
    return all;
}

// All rows in memory as numbers, for leaving one out at a time.
struct HeldRows {
    std::vector<double> values;
    std::vector<std::int32_t> labels;
    std::vector<double> weights;
};

Result<HeldRows> hold_rows(Stream& stream, const Schema& schema, const Context& context) {
    HeldRows held;
    const auto columns = schema.all_columns();
    const auto done = map_in_order(
        stream, context,
        [&](const LabeledBlock& unit, const Stream::Drawn&, const Stream::Lane&, Workspace&) -> Result<HeldRows> {
            HeldRows part;
            std::vector<double> scratch;
            const kernel::Rows rows = rows_of(unit.rows, columns, scratch);
            for (std::size_t row = 0; row < unit.size(); ++row) {
                part.values.insert(part.values.end(), rows.row(row), rows.row(row) + columns.size());
                part.labels.push_back(unit.label_of(row));
                part.weights.push_back(unit.weight_of(row));
            }
            return part;
        },
        [&](const HeldRows& part) -> Result<void> {
            held.values.insert(held.values.end(), part.values.begin(), part.values.end());
            held.labels.insert(held.labels.end(), part.labels.begin(), part.labels.end());
            held.weights.insert(held.weights.end(), part.weights.begin(), part.weights.end());
            return {};
        });
    if (!done) return done.error();
    return held;
}

Result<Comparison> leave_out(Stream& stream, const Schema& schema, const std::vector<Candidate>& candidates,
                             const Context& context, const Locate& locate) {
    if (std::ranges::any_of(schema.columns, [](const Column& c) { return c.kind == ColumnKind::text; }))
        return Error(ErrorKind::usage, "leaving one out takes numbers and categories; use --folds for text");
    const auto held = hold_rows(stream, schema, context);
    if (!held) return held.error();
    const auto width = static_cast<std::ptrdiff_t>(schema.columns.size());
    const DenseBlock block{held->values.data(), Element::f64, held->labels.size(), schema.columns.size(), width, 1};
    return leave_each_out({block, held->labels, held->weights, 0}, schema, candidates, context, locate);
}

struct Ran {
    ComparedFiles files;
    std::vector<Candidate> candidates;
};

Result<Ran> run_compare(const std::vector<std::string>& files, const FitOptions& options, const CompareOptions& how,
                        const Context& context) {
    if (std::ranges::find(files, "-") != files.end())
        return Error(ErrorKind::usage, "compare reads its data several times; save standard input to a file first");
    FitOptions plain = options;
    plain.model = "naive_bayes";
    if (!how.fold_column.empty()) plain.exclude.push_back(how.fold_column);
    const auto first = fit(files, plain, context);
    if (!first) return first.error();
    ApplyOptions again;
    again.read = options.read;
    again.need_target = true;
    again.weight = options.weight;
    auto applied = open_for_model(*first, files, again);
    if (!applied) return applied.error();
    const auto held = HeldStream::hold(*applied->data.stream, context);
    if (!held) return in_data(held.error(), *applied->data.reader);
    Stream& stream = *held ? **held : *applied->data.stream;
    const Schema& schema = first->schema();
    const auto candidates = candidates_for(schema, first->seen().rows, options, how);
    if (!candidates) return candidates.error();
    const auto named = [&](const Error& error) { return in_data(error, *applied->data.reader); };
    const Locate locate = [&](const Error& error) { return error.row ? at_counted_row(error, applied->data) : error; };
    Comparison done;
    if (how.leave_one_out) {
        auto compared = leave_out(stream, schema, *candidates, context, locate);
        if (!compared) return named(compared.error());
        done = std::move(*compared);
    } else {
        std::optional<FoldPlan> plan;
        if (how.fold_column.empty()) {
            auto made = FoldPlan::stratified(stream, schema.classes.size(), how.fold_count, context);
            if (!made) return named(made.error());
            plan = std::move(*made);
        } else {
            auto folds = read_folds(files, options.read, how.fold_column, context);
            if (!folds) return folds.error();
            auto made = FoldPlan::given(std::move(*folds));
            if (!made) return named(made.error());
            plan = std::move(*made);
        }
        auto compared = cross_validate(stream, schema, *candidates, *plan, context, how.curve_models, locate);
        if (!compared) return named(compared.error());
        done = std::move(*compared);
    }
    return Ran{{std::move(done.models), std::move(done.curve), first->seen().rows, first->notes()}, *candidates};
}

}  // namespace

Result<ComparedFiles> compare(const std::vector<std::string>& files, const FitOptions& options,
                              const CompareOptions& how, const Context& context) {
    auto ran = run_compare(files, options, how, context);
    if (!ran) return ran.error();
    return std::move(ran->files);
}

Result<Comparison> compare(const LabeledBlock& rows, const Schema& schema, const FitOptions& options,
                           const CompareOptions& how, std::vector<std::uint32_t> fold_of_row, const Context& context) {
    const auto candidates = candidates_for(schema, static_cast<double>(rows.size()), options, how);
    if (!candidates) return candidates.error();
    if (how.leave_one_out) return leave_each_out(rows, schema, *candidates, context);
    MemoryStream stream(rows, schema);
    const auto plan = fold_of_row.empty() ? FoldPlan::stratified(stream, schema.classes.size(), how.fold_count, context)
                                          : FoldPlan::given(std::move(fold_of_row));
    if (!plan) return plan.error();
    return cross_validate(stream, schema, *candidates, *plan, context, how.curve_models);
}

Result<Model> fit_best(const std::vector<std::string>& files, const FitOptions& options, const Context& context) {
    auto ran = run_compare(files, options, {}, context);
    if (!ran) return ran.error();
    const Compared best = ran->files.models.front();
    if (!best.failure.empty()) return Error("no model could be fitted: " + best.failure);
    const auto winner = std::ranges::find_if(ran->candidates, [&](const Candidate& each) {
        return each.model == best.model && each.options == best.options;
    });
    auto model = fit(files, with_candidate(options, *winner), context);
    if (!model) return model.error();
    for (Compared& each : ran->files.models) each.seconds = 0;  // the same data give the same file
    return model->with_comparison(std::move(ran->files.models));
}

}  // namespace suffice
