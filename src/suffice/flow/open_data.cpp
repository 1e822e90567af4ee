// Looks at files before a fit: which columns are wanted, as what, and what is said about the rest.
#include "suffice/flow/open_data.hpp"

#include <algorithm>
#include <unordered_map>

#include "suffice/encode/chosen_rows.hpp"
#include "suffice/encode/column_places.hpp"
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

// Which of so many columns are in the list.
std::vector<bool> marked(const std::vector<std::uint32_t>& columns, std::size_t count) {
    std::vector<bool> marks(count);
    for (const std::uint32_t column : columns) marks[column] = true;
    return marks;
}

// The family that was said of a column, by its name.
using SaidFamilies = std::unordered_map<std::string_view, std::string_view>;

SaidFamilies said_families(const FitOptions& options) {
    SaidFamilies said;
    for (const auto& each : options.families) said.emplace(each.column, each.family);
    return said;
}

std::optional<std::string_view> family_in(const SaidFamilies& said, const FoundColumn& column) {
    const auto at = said.find(column.name);
    if (at == said.end()) return std::nullopt;
    return at->second;
}

// The families of all columns that a name, a glob such as q* or a range such as 3-7 or age:income stands for. A column
// named by itself wins over globs and ranges, and what is said last over what is said first.
Result<void> spread_families(const std::vector<FoundColumn>& found, const std::string& file, FitOptions& options) {
    if (options.families.empty()) return {};
    struct Said {
        std::string family;
        bool by_name = false;
    };
    std::vector<std::optional<Said>> said(found.size());
    const ColumnPlaces places = column_places(found);
    for (const auto& choice : options.families) {
        const auto named = places.find(choice.column);
        const auto columns = named != places.end() ? std::vector{named->second} : columns_like(found, choice.column);
        if (columns.empty()) return no_column(choice.column, found, file);
        const bool by_name = named != places.end() || find_column(found, choice.column).has_value();
        for (const std::uint32_t at : columns) {
            if (!by_name && (found[at].name == options.target || found[at].name == options.weight)) continue;
            if (!said[at] || by_name || !said[at]->by_name) said[at] = {choice.family, by_name};
        }
    }
    options.families.clear();
    for (std::size_t k = 0; k < found.size(); ++k)
        if (said[k]) options.families.push_back({found[k].name, std::move(said[k]->family)});
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
Result<std::vector<FoundColumn>> settled_columns(TableReader& reader, const ColumnPlan& plan, const SaidFamilies& said,
                                                 const std::vector<bool>& excluded) {
    const std::vector<FoundColumn>& found = reader.columns();
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t k = 0; k < found.size(); ++k) {
        if (found[k].all_missing && !said.contains(found[k].name) && !excluded[k] && k != plan.target &&
            k != plan.weight)
            waiting.push_back(k);
    }
    if (waiting.empty()) return found;
    return settle_waiting_columns(reader, std::move(waiting));
}

// A column of dates becomes columns of numbers.
void split_dates(OpenedData& opened, ColumnPlan& plan, std::uint32_t place, const FoundColumn& column) {
    opened.reader->want(place, true, ColumnKind::category);
    std::string told;
    const bool day_first = puts_day_first(column, opened.options.read);
    opened.options.read.day_first[column.name] = day_first;  // for those who read after the model
    for (const DatePart part : {DatePart::year, DatePart::month, DatePart::weekday, DatePart::hour, DatePart::days}) {
        if (part == DatePart::hour && !has_time(column.example)) continue;
        const std::string name = name_of_part(column.name, part);
        opened.choices.push_back({name, "gaussian", ColumnReason::numbers});
        opened.schema.columns.push_back({name, ColumnKind::number});
        plan.columns.push_back(place);
        plan.dates.resize(plan.columns.size());
        plan.dates.back() = {part, day_first};
        told += (told.empty() ? "" : ", ") + std::string(name_of(part));
    }
    opened.column_notes.add(column.name, column.example, {" holds dates, such as ", "; it was split into " + told},
                            {" hold dates, such as ", "; each was split into " + told});
}

// Takes a column, of which this family was said or none, into the schema, or leaves it out and says why.
Result<void> choose_column(OpenedData& opened, ColumnPlan& plan, std::uint32_t place, const FoundColumn& column,
                           std::optional<std::string_view> family, bool excluded) {
    const Treatment how = treat(column, family, opened.options);
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
        const std::string why = reason_text(*reason, opened.options.model);
        if (!excluded)
            opened.column_notes.add(column.name, "", {" was left out: ", why}, {" were left out, each because ", why});
        return {};
    }
    if (!how.by_user() && how.kind == ColumnKind::category && column.kind == ColumnKind::category)
        if (const auto note = note_of_odd_numbers(column); !note.sentence.empty()) opened.notes.push_back(note);
    if (column.style.any() && how.kind != ColumnKind::category && how.kind != ColumnKind::text) {
        const std::string style = ": " + style_text(column.style);
        opened.column_notes.add(column.name, column.example, {" holds numbers written like ", style},
                                {" hold numbers written like ", style});
        if (column.style.decimal == ',') opened.options.read.decimal = ',';  // for those who read after the model
    }
    if (!column.no_number.empty() && how.kind != ColumnKind::category && how.kind != ColumnKind::text)
        opened.column_notes.add(column.name, column.no_number, {" holds ", " among its numbers, taken as missing"},
                                {" hold words such as ", " among their numbers, taken as missing"});
    if (column.spelled_flag && column.kind == ColumnKind::flag && how.kind == ColumnKind::flag && column.distinct > 2)
        opened.column_notes.add(column.name, column.example, {" holds yes and no in several spellings, such as ", ""},
                                {" hold yes and no in several spellings, such as ", ""});
    opened.choices.push_back({column.name, how.family, how.why});
    opened.schema.columns.push_back({column.name, how.kind});
    if (how.kind == ColumnKind::text) opened.schema.columns.back().text = {text_of(opened.options, how.family)};
    plan.columns.push_back(place);
    return {};
}

void declare_levels(Schema& schema, const std::vector<Column>& declared) {
    const ColumnPlaces places = column_places(schema.columns);
    for (const Column& each : declared) {
        const auto at = places.find(each.name);
        if (at == places.end() || each.declared_levels == 0) continue;
        Column& column = schema.columns[at->second];
        if (column.kind != ColumnKind::category) continue;
        column.levels = each.levels;
        column.declared_levels = each.declared_levels;
    }
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

bool puts_day_first(const FoundColumn& dates, const ReadOptions& read) {
    const auto known = read.day_first.find(dates.name);
    return known != read.day_first.end() ? known->second : puts_day_first(dates.example);
}

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
    if (opened.reader->is_latin1() && !options.read.latin1) {
        options.read.latin1 = true;  // for those who read after the model
        opened.notes.push_back({"the header is no UTF-8, so each byte was read as a letter of Latin-1",
                                {{"encoding", "", "say with", "how the file is written, if not so"}}});
    }
    auto plan = find_named(opened.reader->columns(), file, options);
    if (!plan) return plan.error();
    const auto left_out = find_columns(opened.reader->columns(), options.exclude, file);
    if (!left_out) return left_out.error();
    const std::vector<bool> excluded = marked(*left_out, opened.reader->columns().size());
    const ColumnPlaces places = column_places(opened.reader->columns());
    // A glob may have named a family for columns that are left out.
    std::erase_if(options.families, [&](const FamilyChoice& each) { return excluded[places.at(each.column)]; });
    const SaidFamilies said = said_families(options);
    const auto found = settled_columns(*opened.reader, *plan, said, excluded);
    if (!found) return found.error();
    if (plan->one_class) opened.schema.classes = {"all"};
    opened.schema.target = options.target;
    if (auto sound = check(options.text); !sound) return sound.error();
    for (std::uint32_t k = 0; k < found->size(); ++k) {
        if (k == plan->target || k == plan->weight)
            opened.reader->want(k, true, k == plan->target ? ColumnKind::category : ColumnKind::number);
        else if (auto chosen = choose_column(opened, *plan, k, (*found)[k], family_in(said, (*found)[k]), excluded[k]);
                 !chosen)
            return chosen.error();
    }
    for (Note& each : opened.column_notes.notes()) opened.notes.push_back(std::move(each));
    declare_levels(opened.schema, declared);
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
