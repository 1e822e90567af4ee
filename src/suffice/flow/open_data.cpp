// Looks at files before a fit: which columns are wanted, as what, and what is said about the rest.
#include "suffice/flow/open_data.hpp"

#include <algorithm>

#include "suffice/encode/chosen_rows.hpp"
#include "suffice/encode/text_options.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/flow/column_treatment.hpp"
#include "suffice/flow/fit_by_passes.hpp"
#include "suffice/flow/odd_numbers.hpp"
#include "suffice/flow/waiting_columns.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/read/folders.hpp"

namespace suffice {
namespace {

bool is_in(const std::vector<std::uint32_t>& columns, std::uint32_t column) {
    return std::ranges::find(columns, column) != columns.end();
}

// The families of all columns that a name, a glob such as q* or a range such as 3-7 or age:income stands for. A column
// named by itself wins over globs and ranges, and what is said last over what is said first.
Result<void> spread_families(const std::vector<FoundColumn>& found, const std::string& file, FitOptions& options) {
    std::vector<std::pair<FamilyChoice, bool>> all;
    const auto put = [&](std::uint32_t at, const std::string& family, bool by_name) {
        const auto known =
            std::ranges::find_if(all, [&](const auto& each) { return each.first.column == found[at].name; });
        if (known == all.end())
            all.push_back({{found[at].name, family}, by_name});
        else if (by_name || !known->second)
            *known = {{found[at].name, family}, by_name};
    };
    for (const auto& choice : options.families) {
        const auto columns = columns_like(found, choice.column);
        if (columns.empty()) return no_column(choice.column, found, file);
        const bool by_name = find_column(found, choice.column).has_value();
        for (const std::uint32_t at : columns)
            if (by_name || (found[at].name != options.target && found[at].name != options.weight))
                put(at, choice.family, by_name);
    }
    options.families.clear();
    for (auto& [choice, by_name] : all) options.families.push_back(std::move(choice));
    return {};
}

// Where the target and the weights are; the user's names of columns become those of the file.
Result<ColumnPlan> find_named(const std::vector<FoundColumn>& found, const std::string& file, FitOptions& options) {
    const auto one = [&](std::string& name) -> Result<std::int64_t> {
        const auto at = find_column(found, name);
        if (!at) return no_column(name, found, file);
        name = found[*at].name;
        return *at;
    };
    ColumnPlan plan;
    plan.one_class = !options.has_classes;
    if (options.has_classes) {
        const auto target = one(options.target);
        if (!target) return target.error();
        plan.target = *target;
    }
    if (!options.weight.empty()) {
        const auto weight = one(options.weight);
        if (!weight) return weight.error();
        if (*weight == plan.target) return weight_is_target(options.weight);
        plan.weight = *weight;
    }
    if (auto spread = spread_families(found, file, options); !spread) return spread.error();
    for (auto& prior : options.settings.column_priors)
        if (const auto at = one(prior.column); !at) return at.error();
    for (auto& list : options.parts.joint) {
        for (auto& name : list)
            if (const auto at = one(name); !at) return at.error();
        if (list.size() < 2)
            return Error(ErrorKind::usage, "a joint takes two columns or more").advise({"joint", "a,b"});
    }
    return plan;
}

// Columns without a value so far that nobody has said anything of: their first value decides.
Result<std::vector<FoundColumn>> settled_columns(TableReader& reader, const ColumnPlan& plan, const FitOptions& options,
                                                 const std::vector<std::uint32_t>& excluded) {
    const std::vector<FoundColumn>& found = reader.columns();
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t k = 0; k < found.size(); ++k) {
        const bool named =
            std::ranges::find(options.families, found[k].name, &FamilyChoice::column) != options.families.end();
        if (found[k].all_missing && !named && !is_in(excluded, k) && k != plan.target && k != plan.weight)
            waiting.push_back(k);
    }
    if (waiting.empty()) return found;
    return settle_waiting_columns(reader, std::move(waiting));
}

// A column of dates becomes columns of numbers.
void split_dates(OpenedData& opened, ColumnPlan& plan, std::uint32_t place, const FoundColumn& column) {
    opened.reader->want(place, true, ColumnKind::category);
    std::string told;
    for (const DatePart part : {DatePart::year, DatePart::month, DatePart::weekday, DatePart::hour, DatePart::days}) {
        if (part == DatePart::hour && !has_time(column.example)) continue;
        const std::string name = name_of_part(column.name, part);
        opened.choices.push_back({name, "gaussian", ColumnReason::numbers});
        opened.schema.columns.push_back({name, ColumnKind::number});
        plan.columns.push_back(place);
        plan.dates.resize(plan.columns.size());
        plan.dates.back() = {part, puts_day_first(column.example)};
        told += (told.empty() ? "" : ", ") + std::string(name_of(part));
    }
    opened.notes.push_back("the column " + column.name + " holds dates, such as " + column.example +
                           "; it was split into " + told);
}

// Takes a column into the schema, or leaves it out and says why.
Result<void> choose_column(OpenedData& opened, ColumnPlan& plan, std::uint32_t place, const FoundColumn& column,
                           bool excluded) {
    const Treatment how = treat(column, opened.options);
    if (column.looks_like_date && !excluded && !how.by_user() &&
        (*model_entry(opened.options.model))->numbers != NumberForm::counted) {
        split_dates(opened, plan, place, column);
        return {};
    }
    const auto left_out = excluded ? Result<std::optional<ColumnReason>>(ColumnReason::excluded)
                                   : reason_to_leave_out(column, how, opened.options);
    if (!left_out) return Error(left_out.error()).in_file(first_file(*opened.reader));
    const std::optional<ColumnReason> reason = *left_out;
    opened.reader->want(place, !reason, reason ? column.kind : how.kind);
    if (reason) {
        opened.choices.push_back({column.name, "", *reason});
        if (!excluded)
            opened.notes.push_back("the column " + column.name +
                                   " was left out: " + reason_text(*reason, opened.options.model));
        return {};
    }
    if (!how.by_user() && how.kind == ColumnKind::category && column.kind == ColumnKind::category)
        if (const auto note = note_of_odd_numbers(column); !note.sentence.empty()) opened.notes.push_back(note);
    if (column.style.any() && how.kind != ColumnKind::category && how.kind != ColumnKind::text) {
        opened.notes.push_back("the column " + column.name + " holds numbers written like " + column.example + ": " +
                               style_text(column.style));
        if (column.style.decimal == ',') opened.options.read.decimal = ',';  // for those who read after the model
    }
    opened.choices.push_back({column.name, how.family, how.why});
    opened.schema.columns.push_back({column.name, how.kind});
    if (how.kind == ColumnKind::text) opened.schema.columns.back().text = {text_of(opened.options, how.family)};
    plan.columns.push_back(place);
    return {};
}

void declare_levels(Column& column, const Column& declared) {
    if (column.kind != ColumnKind::category) return;
    column.levels = declared.levels;
    column.declared_levels = declared.declared_levels;
}

Result<void> settle_target(const std::vector<std::string>& files, FitOptions& options) {
    const auto model = canonical_model(options.model);
    if (!model) return model.error();
    options.model = *model;
    if (!options.has_classes || !options.target.empty()) return {};
    if (!are_class_folders(files))
        return Error(ErrorKind::usage, "the column that holds the classes is not named")
            .advise({"target", "", "name it with"});
    options.target = class_folders_target;
    return {};
}

}  // namespace

const std::string& first_file(const TableReader& reader) {
    static const std::string none;
    return reader.files().empty() ? none : reader.files()[0];
}

Result<void> take_importance(OpenedData& opened) {
    if (auto taken = opened.stream->take_importance(); !taken) return in_data(taken.error(), *opened.reader);
    return {};
}

Error weight_is_target(const std::string& column) {
    return Error(ErrorKind::usage, "the column holds the classes, so it cannot hold the weights too").in_column(column);
}

Result<OpenedData> open_for_fit(const Data& data, const FitOptions& wishes) {
    FitOptions options = wishes;
    if (auto named = settle_target(data.files(), options); !named) return named.error();
    auto reader = open_rows(data, options.read, true);
    if (!reader) return reader.error();
    const auto declared = data.table() != nullptr ? data.table()->columns() : std::vector<Column>{};
    if (!declared) return declared.error();
    return open_for_fit(std::move(*reader), options, *declared);
}

Result<OpenedData> open_for_fit(std::unique_ptr<TableReader> reader, const FitOptions& wishes,
                                const std::vector<Column>& declared) {
    OpenedData opened;
    opened.reader = std::move(reader);
    opened.options = wishes;
    FitOptions& options = opened.options;
    if (auto named = settle_target({}, options); !named) return named.error();
    const std::string& file = first_file(*opened.reader);
    auto plan = find_named(opened.reader->columns(), file, options);
    if (!plan) return plan.error();
    const auto excluded = find_columns(opened.reader->columns(), options.exclude, file);
    if (!excluded) return excluded.error();
    // A glob may have named a family for columns that are left out.
    std::erase_if(options.families, [&](const FamilyChoice& each) {
        const auto at = find_column(opened.reader->columns(), each.column);
        return at && is_in(*excluded, *at);
    });
    const auto found = settled_columns(*opened.reader, *plan, options, *excluded);
    if (!found) return found.error();
    if (plan->one_class) opened.schema.classes = {"all"};
    opened.schema.target = options.target;
    if (auto sound = check(options.text); !sound) return sound.error();
    for (std::uint32_t k = 0; k < found->size(); ++k) {
        if (k == plan->target || k == plan->weight)
            opened.reader->want(k, true, k == plan->target ? ColumnKind::category : ColumnKind::number);
        else if (auto chosen = choose_column(opened, *plan, k, (*found)[k], is_in(*excluded, k)); !chosen)
            return chosen.error();
    }
    for (const Column& each : declared)
        if (const auto at = opened.schema.column_named(each.name); at && each.declared_levels > 0)
            declare_levels(opened.schema.columns[*at], each);
    if (auto fits = check_sequences(options, opened.choices); !fits) return fits.error();
    if (plan->columns.empty() && std::ranges::all_of(*found, &FoundColumn::all_missing))
        return Error("the file has a header, but no row with a value").in_file(file);
    if (plan->columns.empty()) return Error("there is no column to learn from beside the target").in_file(file);
    opened.stream = std::make_unique<TableStream>(*opened.reader, std::move(*plan), opened.schema);
    if (options.weight_kind == WeightKind::importance)
        if (auto taken = take_importance(opened); !taken) return taken.error();
    if (!takes_passes(options) && options.has_classes) opened.reader->stop_keeping();
    return opened;
}

}  // namespace suffice
