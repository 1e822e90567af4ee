// Matches the columns of files with the columns of models.
#include "suffice/flow/open_data.hpp"

#include <algorithm>

#include "suffice/encode/text_options.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/flow/fit_by_passes.hpp"
#include "suffice/flow/learn_on.hpp"
#include "suffice/flow/odd_numbers.hpp"
#include "suffice/flow/waiting_columns.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/model/unit_documents.hpp"
#include "suffice/read/folders.hpp"
#include "suffice/read/paths.hpp"

namespace suffice {
namespace {

const std::string& first_file(const TableReader& reader) {
    static const std::string none;
    return reader.files().empty() ? none : reader.files()[0];
}

constexpr std::uint64_t identifier_distinct = 10'000;
constexpr const char* may_be_missing = " (--allow-missing-columns treats it as missing)";

struct Treatment {
    ColumnKind kind = ColumnKind::number;
    std::string family;
    std::string why;
};

// From the kind found, or from the family that the user or the model named.
Treatment treat(const FoundColumn& column, const FitOptions& options) {
    for (const auto& choice : options.families)
        if (choice.column == column.name) {
            if (choice.family == "tokens" || choice.family == "ngrams")
                return {ColumnKind::text, choice.family, "as you said"};
            const bool words =
                choice.family == "categorical" || (choice.family == "auto" && column.kind == ColumnKind::category);
            return {words ? ColumnKind::category : ColumnKind::number, choice.family, "as you said"};
        }
    if (const auto family = one_family(options.model); !family.empty()) {
        const bool words = family == "categorical";
        if (column.kind == ColumnKind::text && family == "bernoulli") return {ColumnKind::text, "tokens", "words"};
        return {words ? ColumnKind::category : ColumnKind::number, std::string(family),
                "as " + options.model + " says"};
    }
    if (options.model == "multinomial_nb" || options.model == "complement_nb") {
        const bool words = column.kind == ColumnKind::category || column.kind == ColumnKind::text;
        if (words) return {ColumnKind::text, "tokens", "words"};
        return {ColumnKind::number, "counts", "as " + options.model + " says"};
    }
    const bool number = column.kind == ColumnKind::number || column.kind == ColumnKind::flag;
    if (const auto points = points_family(options.model); number && !points.empty())
        return {ColumnKind::number, std::string(points), "numbers"};
    switch (column.kind) {
        case ColumnKind::number:
            return {ColumnKind::number, "gaussian", "numbers"};
        case ColumnKind::flag:
            return {ColumnKind::flag, "bernoulli", std::string(only_flags)};
        case ColumnKind::category:
            return {ColumnKind::category, "categorical", "words"};
        case ColumnKind::text:
            return {ColumnKind::text, options.model == "ngram" ? "ngrams" : "tokens", "longer text"};
    }
    return {};
}

// Sequences are of single words, short ones too; counts may be of runs of them.
TextOptions text_of(const FitOptions& options, const std::string& family) {
    TextOptions text = options.text;
    if (family != "ngrams") return text;
    text.in_order = true;
    text.minimum_length = 1;
    return text;
}

Result<void> check_sequences(const FitOptions& options, const std::vector<ColumnChoice>& choices) {
    const bool any = std::ranges::any_of(choices, [](const auto& each) { return each.family == "ngrams"; });
    if (options.model == "ngram" && !any)
        return Error(ErrorKind::usage, "no column holds longer text; name it with --family \"COLUMN=ngrams\"");
    if (any && (options.text.ngram_max > 1 || options.text.binary || options.text.hash_features > 0))
        return Error(ErrorKind::usage,
                     "n-gram models take the words one by one: give their order with --order, and leave --ngrams, "
                     "--binary and --hash to counts of words");
    return {};
}

Error weight_is_target(const std::string& column) {
    return Error(ErrorKind::usage, "the column holds the classes, so it cannot hold the weights too").in_column(column);
}

}  // namespace

Result<OpenedData> open_for_fit(const std::vector<std::string>& files, const FitOptions& wishes) {
    OpenedData opened;
    opened.options = wishes;
    FitOptions& options = opened.options;
    const auto model = canonical_model(options.model);
    if (!model) return model.error();
    options.model = *model;
    if (options.has_classes && options.target.empty() && are_class_folders(files))
        options.target = class_folders_target;
    if (options.has_classes && options.target.empty())
        return Error(ErrorKind::usage, "name the column that holds the classes with --target");
    auto reader = open_table(files, options.read, true);
    if (!reader) return reader.error();
    opened.reader = std::move(*reader);
    std::vector<FoundColumn> found = opened.reader->columns();
    const std::string& file = first_file(*opened.reader);
    const auto one = [&](std::string& name) -> Result<std::int64_t> {
        const auto at = find_column(found, name);
        if (!at) return no_column(name, found, file);
        name = found[*at].name;
        return *at;
    };
    ColumnPlan plan;
    if (options.has_classes) {
        const auto target = one(options.target);
        if (!target) return target.error();
        plan.target = *target;
    } else {
        plan.one_class = true;
        opened.schema.classes = {"all"};
    }
    if (!options.weight.empty()) {
        const auto weight = one(options.weight);
        if (!weight) return weight.error();
        if (*weight == plan.target) return weight_is_target(options.weight);
        plan.weight = *weight;
    }
    for (auto& choice : options.families)
        if (const auto at = one(choice.column); !at) return at.error();
    for (auto& prior : options.column_priors)
        if (const auto at = one(prior.column); !at) return at.error();
    for (auto& list : options.joint) {
        for (auto& name : list)
            if (const auto at = one(name); !at) return at.error();
        if (list.size() < 2) return Error(ErrorKind::usage, "--joint takes two columns or more, such as \"a,b\"");
    }
    const auto left_out_by_user = find_columns(found, options.exclude, file);
    if (!left_out_by_user) return left_out_by_user.error();
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t k = 0; k < found.size(); ++k) {
        const bool named =
            std::ranges::find(options.families, found[k].name, &FamilyChoice::column) != options.families.end();
        const bool excluded = std::ranges::find(*left_out_by_user, k) != left_out_by_user->end();
        if (found[k].all_missing && !named && !excluded && k != plan.target && k != plan.weight) waiting.push_back(k);
    }
    if (!waiting.empty()) {
        auto settled = settle_waiting_columns(*opened.reader, std::move(waiting));
        if (!settled) return settled.error();
        found = std::move(*settled);
    }
    opened.schema.target = options.target;
    if (auto sound = check(options.text); !sound) return sound.error();
    for (std::uint32_t k = 0; k < found.size(); ++k) {
        const FoundColumn& column = found[k];
        const bool excluded = std::ranges::find(*left_out_by_user, k) != left_out_by_user->end();
        if (k == plan.target) {
            opened.reader->want(k, true, ColumnKind::category);
            continue;
        }
        if (k == plan.weight) {
            opened.reader->want(k, true, ColumnKind::number);
            continue;
        }
        const Treatment how = treat(column, options);
        const bool by_user = how.why == "as you said";
        const bool words = column.kind == ColumnKind::category || column.kind == ColumnKind::text;
        if (!excluded && !by_user && words && how.kind == ColumnKind::number)
            return Error("the column holds words, such as " + column.example + ", " +
                         (options.has_classes ? "which " + options.model +
                                                    " does not take; leave it out with --exclude or use naive_bayes"
                                              : "where numbers are needed; leave it out with --exclude"))
                .in_file(file)
                .in_column(column.name);
        std::string left_out;
        if (excluded) left_out = "excluded";
        if (!excluded && !by_user && column.all_missing) left_out = "no value in it";
        if (!excluded && !by_user && column.looks_like_date)
            return Error("the column holds dates, such as " + column.example +
                         ", which are not numbers; leave it out with --exclude or take it as words with --family \"" +
                         column.name + "=categorical\"")
                .in_file(file)
                .in_column(column.name);
        if (!excluded && !by_user && how.kind == ColumnKind::category && column.distinct > identifier_distinct &&
            2 * column.distinct > column.seen)
            left_out = "nearly every value is different, so it looks like an identifier";
        if (!left_out.empty()) {
            opened.reader->want(k, false, column.kind);
            opened.choices.push_back({column.name, "", left_out});
            if (!excluded) opened.notes.push_back("the column " + column.name + " was left out: " + left_out);
            continue;
        }
        if (!by_user && how.kind == ColumnKind::category)
            if (const auto note = note_of_odd_numbers(column); !note.empty()) opened.notes.push_back(note);
        opened.reader->want(k, true, how.kind);
        opened.choices.push_back({column.name, how.family, how.why});
        opened.schema.columns.push_back({column.name, how.kind});
        if (how.kind == ColumnKind::text) opened.schema.columns.back().text = {text_of(options, how.family)};
        plan.columns.push_back(k);
    }
    if (auto fits = check_sequences(options, opened.choices); !fits) return fits.error();
    if (plan.columns.empty() && std::ranges::all_of(found, &FoundColumn::all_missing))
        return Error("the file has a header, but no row with a value").in_file(file);
    if (plan.columns.empty()) return Error("there is no column to learn from beside the target").in_file(file);
    if (!takes_passes(options) && options.has_classes) opened.reader->stop_keeping();
    opened.stream = std::make_unique<TableStream>(*opened.reader, std::move(plan), opened.schema);
    return opened;
}

Result<AppliedData> open_for_model(const Model& model, const std::vector<std::string>& files,
                                   const ApplyOptions& options) {
    AppliedData applied;
    OpenedData& opened = applied.data;
    ReadOptions read = options.read;
    read.other_columns = true;
    auto reader = open_table(files, read, options.many_passes);
    if (!reader) return reader.error();
    opened.reader = std::move(*reader);
    const auto& found = opened.reader->columns();
    const std::string& file = first_file(*opened.reader);
    opened.schema = model.schema();
    ColumnPlan plan;
    plan.names_grow = options.names_grow;
    // Of several files each must have the column, unless it may be missing.
    const auto in_all_files = [&](std::uint32_t column) -> Result<void> {
        if (found[column].lacked_by.empty() || options.allow_missing_columns) return {};
        return Error("there is no column " + found[column].name + may_be_missing).in_file(found[column].lacked_by);
    };
    for (const auto& column : opened.schema.columns) {
        const auto seen = find_column(found, column.name);
        if (!seen && !options.allow_missing_columns) {
            Error error = no_column(column.name, found, file);
            error.message += may_be_missing;
            return error;
        }
        if (seen)
            if (auto there = in_all_files(*seen); !there) return there.error();
        plan.columns.push_back(seen ? static_cast<std::int64_t>(*seen) : -1);
    }
    const auto target = find_column(found, opened.schema.target);
    if (options.need_target && !target)
        return no_column(opened.schema.target.empty() ? "with the classes" : opened.schema.target, found, file);
    if (target) {
        const auto there = in_all_files(*target);
        if (!there && options.need_target) return there.error();
        if (there) plan.target = *target;
    }
    if (!options.weight.empty()) {
        const auto weight = find_column(found, options.weight);
        if (!weight) return no_column(options.weight, found, file);
        if (*weight == plan.target) return weight_is_target(options.weight);
        if (auto there = in_all_files(*weight); !there) return there.error();
        plan.weight = *weight;
    }
    auto kept_columns = find_columns(found, options.keep, file);
    if (!kept_columns) return kept_columns.error();
    applied.kept = std::move(*kept_columns);
    for (const auto column : applied.kept)
        if (auto there = in_all_files(column); !there) return there.error();
    std::string extra;
    std::size_t extra_count = 0;
    for (std::uint32_t k = 0; k < found.size(); ++k) {
        const auto in_model = std::ranges::find(plan.columns, static_cast<std::int64_t>(k));
        const bool kept = std::ranges::find(applied.kept, k) != applied.kept.end();
        if (in_model != plan.columns.end()) {
            const auto column = static_cast<std::size_t>(in_model - plan.columns.begin());
            opened.reader->want(k, true, opened.schema.columns[column].kind);
        } else if (k == plan.target || kept) {
            opened.reader->want(k, true, ColumnKind::category);
        } else if (k == plan.weight) {
            opened.reader->want(k, true, ColumnKind::number);
        } else {
            opened.reader->want(k, false, found[k].kind);
            if (target == k) continue;
            if (++extra_count <= 5) extra += (extra.empty() ? "" : ", ") + found[k].name;
        }
    }
    if (extra_count > 0)
        opened.notes.push_back("columns that the model does not know were ignored: " + extra +
                               (extra_count > 5 ? ", ..." : ""));
    opened.stream = std::make_unique<TableStream>(*opened.reader, std::move(plan), opened.schema);
    return applied;
}

namespace {

// The rows of these files for a model that is to learn from them.
Result<AppliedData> open_for_learning(const Model& model, const std::vector<std::string>& files, ApplyOptions options,
                                      bool names_grow) {
    options.need_target = true;
    options.names_grow = names_grow;
    options.many_passes = !names_grow;
    return open_for_model(model, files, options);
}

// A model of the same recipe fitted to these files alone.
Result<Classifier> fit_alike(const Model& model, const Classifier& classifier, const std::vector<std::string>& files,
                             const ApplyOptions& options, const Context& context) {
    auto applied = open_for_learning(model, files, options, true);
    if (!applied) return applied.error();
    ModelState recipe = classifier.state();
    recipe.statistic = recipe.statistic.blank();
    auto fitted = fit(recipe, *applied->data.stream, context);
    if (!fitted) return at_refused_row(fitted.error(), applied->data, recipe);
    return fitted;
}

Provenance seen_in(double rows, const std::vector<std::string>& files) {
    Provenance seen{rows, {}};
    for (const auto& file : files) seen.files.push_back(recorded_name(file));
    return seen;
}

// What is to be said where more rows make a model another one.
std::vector<std::string> taken_off(const Model& model) {
    if (model.calibration() == Calibration{} && model.decision().empty()) return {};
    return {"the calibration and thresholds were of the model before these rows and are taken off; calibrate again"};
}

// The repeated passes go over the new rows alone, from where the model stands.
Result<Model> warm_start(const Model& model, const std::vector<std::string>& files, const ApplyOptions& options,
                         const Context& context) {
    auto applied = open_for_learning(model, files, options, false);
    if (!applied) return applied.error();
    auto state = continue_passes(model.file().state, *applied->data.stream, context);
    if (!state) return in_data(state.error(), *applied->data.reader);
    ModelFile made{std::move(*state), model.seen()};
    made.seen.merge(seen_in(0, files));
    return Model::from(std::move(made), taken_off(model));
}

}  // namespace

Result<Model> update(const Model& model, const std::vector<std::string>& files, const ApplyOptions& options,
                     const Context& context) {
    const auto* classifier = model.as<Classifier>();
    if (classifier != nullptr &&
        (classifier->state().passes == stripped || classifier->state().passes == weighed_documents))
        return check_is_sum(classifier->state()).error();
    if (learns_by_steps(model)) return learn_on(model, files, options, {}, context);
    if (classifier == nullptr || !classifier->state().passes.empty()) return warm_start(model, files, options, context);
    const auto rows = fit_alike(model, *classifier, files, options, context);
    if (!rows) return rows.error();
    const auto both = merge(*classifier, *rows);
    if (!both) return both.error();
    ModelFile made{both->state(), model.seen()};
    made.seen.merge(seen_in(rows->weight(), files));
    return Model::from(std::move(made), taken_off(model));
}

Result<Model> forget(const Model& model, const std::vector<std::string>& files, const ApplyOptions& options,
                     const Context& context) {
    const auto sum = as_sum(model);
    if (!sum) return sum.error();
    const auto rows = fit_alike(model, **sum, files, options, context);
    if (!rows) return rows.error();
    if (!((*sum)->weight() - rows->weight() > 1e-12 * (*sum)->weight()))
        return Error("the model has seen no more rows than these, so nothing would be left of it");
    const auto rest = subtract(**sum, *rows);
    if (!rest) return rest.error();
    ModelFile made{rest->state(), model.seen()};
    made.seen.rows -= rows->weight();
    return Model::from(std::move(made));
}

}  // namespace suffice
