// Matches the columns of files with the columns of models.
#include "suffice/flow/open_data.hpp"

#include <algorithm>
#include <set>

#include "suffice/encode/names.hpp"

namespace suffice {
namespace {

std::vector<std::string> names_of(const std::vector<FoundColumn>& found) {
    std::vector<std::string> names;
    for (const auto& column : found) names.push_back(column.name);
    return names;
}

Error no_column(const std::string& wanted, const std::vector<FoundColumn>& found, const std::string& file) {
    const auto names = names_of(found);
    const std::string near = nearest_name(wanted, names);
    std::string why = "there is no column " + wanted;
    if (!near.empty()) why += "; did you mean " + near + "?";
    if (near.empty() && names.size() == 1)
        why += "; only one column was found, " + names[0] + ": is the delimiter right? (--delimiter)";
    return Error(why).in_file(file);
}

std::int64_t position(const std::vector<FoundColumn>& found, const std::string& name) {
    const auto at = std::ranges::find(found, name, &FoundColumn::name);
    return at == found.end() ? -1 : at - found.begin();
}

const std::string& first_file(const TableReader& reader) {
    static const std::string none;
    return reader.files().empty() ? none : reader.files()[0];
}

constexpr std::uint64_t identifier_distinct = 10'000;

struct Treatment {
    ColumnKind kind = ColumnKind::number;
    std::string family;
    std::string why;
};

// From the kind found, or from the family that the user named.
Treatment treat(const FoundColumn& column, const FitOptions& options) {
    for (const auto& choice : options.families)
        if (choice.column == column.name) {
            const bool words = choice.family == "categorical";
            return {words ? ColumnKind::category : ColumnKind::number, choice.family, "as you said"};
        }
    switch (column.kind) {
        case ColumnKind::number:
            return {ColumnKind::number, "gaussian", "numbers"};
        case ColumnKind::flag:
            return {ColumnKind::flag, "bernoulli", "only 0 and 1"};
        case ColumnKind::category:
            return {ColumnKind::category, "categorical", "words"};
        case ColumnKind::text:
            return {ColumnKind::text, "tokens", "longer text"};
    }
    return {};
}

}  // namespace

Result<OpenedData> open_for_fit(const std::vector<std::string>& files, const FitOptions& options) {
    OpenedData opened;
    auto reader = open_table(files, options.read);
    if (!reader) return reader.error();
    opened.reader = std::move(*reader);
    const auto& found = opened.reader->columns();
    const std::string& file = first_file(*opened.reader);
    if (options.target.empty()) return Error(ErrorKind::usage, "name the column that holds the classes with --target");
    ColumnPlan plan;
    if ((plan.target = position(found, options.target)) < 0) return no_column(options.target, found, file);
    if (!options.weight.empty() && (plan.weight = position(found, options.weight)) < 0)
        return no_column(options.weight, found, file);
    for (const auto& name : options.exclude)
        if (position(found, name) < 0) return no_column(name, found, file);
    opened.schema.target = options.target;
    for (std::uint32_t k = 0; k < found.size(); ++k) {
        const FoundColumn& column = found[k];
        const bool excluded = std::ranges::find(options.exclude, column.name) != options.exclude.end();
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
        std::string left_out;
        if (excluded) left_out = "excluded";
        if (!excluded && !by_user && column.all_missing) left_out = "no value in it";
        if (!excluded && !by_user && column.looks_like_date)
            return Error("the column holds dates, such as " + column.example +
                         ", which are not numbers; leave it out with --exclude or take it as words with --family \"" +
                         column.name + "=categorical\"")
                .in_file(file)
                .in_column(column.name);
        if (!excluded && !by_user && how.kind == ColumnKind::text)
            left_out = "longer text, which this version does not model beside other columns";
        if (!excluded && !by_user && how.kind == ColumnKind::category && column.distinct > identifier_distinct &&
            2 * column.distinct > column.seen)
            left_out = "nearly every value is different, so it looks like an identifier";
        if (!left_out.empty()) {
            opened.reader->want(k, false, column.kind);
            opened.choices.push_back({column.name, "", left_out});
            if (!excluded) opened.notes.push_back("the column " + column.name + " was left out: " + left_out);
            continue;
        }
        opened.reader->want(k, true, how.kind);
        opened.choices.push_back({column.name, how.family, how.why});
        opened.schema.columns.push_back({column.name, how.kind});
        plan.columns.push_back(k);
    }
    if (plan.columns.empty()) return Error("there is no column to learn from beside the target").in_file(file);
    opened.stream = std::make_unique<TableStream>(*opened.reader, std::move(plan), opened.schema);
    return opened;
}

Result<AppliedData> open_for_model(const Model& model, const std::vector<std::string>& files,
                                   const ApplyOptions& options) {
    AppliedData applied;
    OpenedData& opened = applied.data;
    auto reader = open_table(files, options.read);
    if (!reader) return reader.error();
    opened.reader = std::move(*reader);
    const auto& found = opened.reader->columns();
    const std::string& file = first_file(*opened.reader);
    opened.schema = model.classifier().schema();
    ColumnPlan plan;
    plan.names_grow = options.names_grow;
    std::set<std::int64_t> used;
    for (const auto& column : opened.schema.columns) {
        const std::int64_t at = position(found, column.name);
        if (at < 0 && !options.allow_missing_columns) {
            Error error = no_column(column.name, found, file);
            error.message += " (--allow-missing-columns treats it as missing)";
            return error;
        }
        plan.columns.push_back(at);
        used.insert(at);
    }
    plan.target = opened.schema.target.empty() ? -1 : position(found, opened.schema.target);
    if (options.need_target && plan.target < 0)
        return no_column(opened.schema.target.empty() ? "with the classes" : opened.schema.target, found, file);
    if (!options.weight.empty() && (plan.weight = position(found, options.weight)) < 0)
        return no_column(options.weight, found, file);
    for (const auto& name : options.keep) {
        const std::int64_t at = position(found, name);
        if (at < 0) return no_column(name, found, file);
        applied.kept.push_back(static_cast<std::uint32_t>(at));
    }
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

// A model of the same recipe fitted to these files alone.
Result<Classifier> fit_alike(const Model& model, const std::vector<std::string>& files, ApplyOptions options,
                             const Context& context) {
    options.need_target = true;
    options.names_grow = true;
    auto applied = open_for_model(model, files, options);
    if (!applied) return applied.error();
    ModelState recipe = model.classifier().state();
    recipe.statistic = recipe.statistic.blank();
    return fit(recipe, *applied->data.stream, context);
}

}  // namespace

Result<Model> update(const Model& model, const std::vector<std::string>& files, const ApplyOptions& options,
                     const Context& context) {
    const auto rows = fit_alike(model, files, options, context);
    if (!rows) return rows.error();
    const auto both = merge(model.classifier(), *rows);
    if (!both) return both.error();
    ModelFile made{"classifier", both->state(), model.seen()};
    Provenance more{rows->weight(), {}};
    for (const auto& file : files) more.files.push_back(file.substr(file.rfind('/') + 1));
    made.seen.merge(more);
    return Model::from(std::move(made));
}

Result<Model> forget(const Model& model, const std::vector<std::string>& files, const ApplyOptions& options,
                     const Context& context) {
    const auto rows = fit_alike(model, files, options, context);
    if (!rows) return rows.error();
    const auto rest = subtract(model.classifier(), *rows);
    if (!rest) return rest.error();
    ModelFile made{"classifier", rest->state(), model.seen()};
    made.seen.rows -= rows->weight();
    return Model::from(std::move(made));
}

}  // namespace suffice
