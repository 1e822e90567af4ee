// Matches the columns of files with the columns of a model.
#include <algorithm>
#include <unordered_map>

#include "suffice/encode/chosen_rows.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/flow/open_data.hpp"
#include "suffice/flow/reading.hpp"

namespace suffice {
namespace {

const Remedy may_be_missing{"allow_missing_columns", "true", "use", "to treat it as missing"};

}  // namespace

Result<AppliedData> open_for_model(const Model& model, const Data& data, const ApplyOptions& options) {
    ApplyOptions own = options;
    own.read = remembered(options.read, model.seen().reading);
    return open_for_names(model.schema(), data, own);
}

Result<AppliedData> open_for_names(const Schema& names, const Data& data, const ApplyOptions& options) {
    ReadOptions read = options.read;
    read.other_columns = true;
    auto reader = open_rows(data, read, options.many_passes || options.weight_kind == WeightKind::importance);
    if (!reader) return reader.error();
    return open_for_names(names, std::move(*reader), options);
}

Result<AppliedData> open_for_names(const Schema& names, std::unique_ptr<TableReader> reader,
                                   const ApplyOptions& options) {
    AppliedData applied;
    OpenedData& opened = applied.data;
    opened.reader = std::move(reader);
    const auto& found = opened.reader->columns();
    const std::string& file = first_file(*opened.reader);
    opened.schema = names;
    ColumnPlan plan;
    plan.names_grow = options.names_grow;
    plan.one_class = options.one_class;
    // Of several files each must have the column, unless it may be missing.
    const auto in_all_files = [&](std::uint32_t column) -> Result<void> {
        if (found[column].lacked_by.empty() || options.allow_missing_columns) return {};
        return Error("there is no column " + found[column].name)
            .advise(may_be_missing)
            .in_file(found[column].lacked_by);
    };
    std::unordered_map<std::string_view, std::uint32_t> by_name;
    for (std::uint32_t k = 0; k < found.size(); ++k) by_name.try_emplace(found[k].name, k);
    std::vector<std::int64_t> model_column(found.size(), -1);  // the first that each column of the table is, or none
    for (const auto& column : opened.schema.columns) {
        const auto named = by_name.find(column.name);
        auto seen = named != by_name.end() ? std::optional(named->second) : find_column(found, column.name);
        const auto part = seen ? std::nullopt : part_named(column.name);
        if (part) seen = find_column(found, part->column);
        plan.dates.push_back({});
        if (part && seen) plan.dates.back() = {part->part, puts_day_first(found[*seen], options.read)};
        if (!seen && !options.allow_missing_columns) return no_column(column.name, found, file).advise(may_be_missing);
        if (seen)
            if (auto there = in_all_files(*seen); !there) return there.error();
        if (seen && model_column[*seen] < 0) model_column[*seen] = static_cast<std::int64_t>(plan.columns.size());
        plan.columns.push_back(seen ? static_cast<std::int64_t>(*seen) : -1);
    }
    const auto target = find_column(found, opened.schema.target);
    if (options.nameless_class && !target) {
        opened.schema.classes = {""};
        plan.one_class = true;
    }
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
        const bool kept = std::ranges::find(applied.kept, k) != applied.kept.end();
        if (model_column[k] >= 0) {
            const auto column = static_cast<std::size_t>(model_column[k]);
            const ColumnKind kind = opened.schema.columns[column].kind;
            opened.reader->want(k, true, plan.is_date(column) ? ColumnKind::category : kind);
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
    if (options.weight_kind == WeightKind::importance)
        if (auto taken = take_importance(opened); !taken) return taken.error();
    return applied;
}

}  // namespace suffice
